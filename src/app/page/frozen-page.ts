/** What the page showed when it stopped answering isn't opened again by itself: the next start says so, with the way to it. */
import type { Settings } from '../../platform/store/settings.ts';
import { takeFrozen } from '../../platform/store/frozen.ts';
import type { FolderStore } from '../../stores/folder-types.ts';
import type { Address } from './browser.ts';
import type { Navigation } from '../address/navigation.ts';
import { parseUrlState } from '../address/url-state.ts';
import type { ShellStore } from '../shell/shell-state.ts';

export interface FrozenPageDeps {
  readonly folder: Pick<FolderStore, 'getState' | 'subscribe' | 'reopen'>;
  readonly navigation: Navigation;
  readonly address: Pick<Address, 'hash'>;
  readonly settings: Settings;
  readonly shell: Pick<ShellStore, 'notify' | 'dismiss'>;
  readonly fail: (id: string, thrown: unknown) => void;
  /** Tells the watch beside the page what is opened next. */
  readonly opening: (what: unknown) => void;
}

const NOTICE = 'frozen';

/** Gives the id of the folder that this start leaves closed. */
export const leaveFrozenClosed = async (deps: FrozenPageDeps): Promise<string | undefined> => {
  const { navigation, shell, folder, fail } = deps;
  const frozen = await takeFrozen(deps.settings);
  if (!frozen) return undefined;
  const shown = parseUrlState(frozen.hash);
  const file = [shown.skill, shown.file].filter((part) => part !== undefined).join('/');
  const reopen = async (): Promise<void> => {
    shell.dismiss(NOTICE);
    await folder.reopen(frozen.folder);
    navigation.go(shown);
  };
  navigation.settle({ skill: undefined, file: undefined, at: undefined, session: undefined, event: undefined });
  shell.notify({
    id: NOTICE,
    tone: 'info',
    text: `The page stopped responding while it showed ${file === '' ? '' : `${file} in `}${frozen.folder.name}. Lathe did not open it again.`,
    action: {
      label: `Open ${frozen.folder.name} anyway`,
      run: () => void reopen().catch((thrown) => fail(NOTICE, thrown)),
    },
  });
  return frozen.folder.id;
};

/** From now on the watch knows what is in front, before the page begins to work on it. */
export const tellWatch = ({ folder, navigation, address, opening }: FrozenPageDeps): void => {
  const tell = (): void => {
    const { current } = folder.getState();
    if (current) opening({ folder: current, hash: address.hash() });
  };
  navigation.subscribe(tell);
  folder.subscribe(({ current }, before) => {
    if (current !== before.current) tell();
  });
};
