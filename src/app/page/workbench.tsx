import { memo, type ReactNode, useDeferredValue, useEffect, useSyncExternalStore } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { useStore } from 'zustand';
import { plural } from '../../base/text.ts';
import type { SettingsParts } from '../../features/settings/content.tsx';
import { HelpDialog } from '../../features/help/help-dialog.tsx';
import { Tour, TOUR } from '../../features/help/tour.tsx';
import type { LibraryTarget } from '../../features/library/library-view.ts';
import { addressOf, skillAt } from '../../model/workspace/holder.ts';
import { skillsIn, type WorkspaceState } from '../../stores/workspace/workspace-store.ts';
import { type Density, DensityContext } from '../../ui/density.ts';
import { ToastRegion, type Toasts } from '../../ui/toast.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { type Command, type CommandRegistry, disabledReason } from '../commands/commands.ts';
import type { FolderFiles } from '../desk/folder-files.ts';
import type { Platform } from '../commands/keymap.ts';
import { Appearance } from '../shell/appearance.tsx';
import type { Layout } from '../shell/layout.ts';
import type { StoredChoice } from '../shell/stored-choice.ts';
import type { ThemeStore } from '../shell/theme.ts';
import { FIRST_CONTENTS, type FirstDeps } from './first-contents.ts';
import { slotsOf } from './panel-slot.tsx';
import type { Navigation } from '../address/navigation.ts';
import type { NetworkFacts } from '../shell/network.ts';
import { Notices } from '../shell/notices.tsx';
import type { Place } from '../commands/palette-items.ts';
import { Palette } from '../shell/palette.tsx';
import { QuestionDialogs, type Questions } from '../shell/questions.tsx';
import type { ShellStore } from '../shell/shell-state.ts';
import type { PanelSlots } from '../shell/panel-region.tsx';
import { Rail } from '../shell/rail.tsx';
import { Shell } from '../shell/shell.tsx';
import { ShortcutsDialog } from '../shell/shortcuts-dialog.tsx';
import { NetworkButton, NetworkDialog } from '../shell/network-dialog.tsx';
import { addressOfPanel, viewAt } from '../address/panel-address.ts';
import { formatUrlState, type UrlState } from '../address/url-state.ts';
import { HELP_TOPICS, narrowStartOf, type ViewId } from '../views/registry.ts';
import { type BarSlots, TopBar } from '../shell/top-bar.tsx';

/** Everything the workbench is made of; the composition root makes it. */
export interface WorkbenchDeps extends FirstDeps {
  readonly theme: ThemeStore;
  readonly density: StoredChoice<Density>;
  readonly commands: CommandRegistry;
  readonly layout: Layout;
  readonly navigation: Navigation;
  readonly shell: ShellStore;
  readonly toasts: Toasts;
  readonly questions: Questions;
  readonly files: Pick<FolderFiles, 'subscribe' | 'paths' | 'open'>;
  readonly network: NetworkFacts;
  readonly platform: Platform;
  readonly onRegionError: (region: string, thrown: unknown, details: string) => void;
}

/** What other parts put into the workbench; until one is there, its region says so. */
export type WorkbenchSlots = {
  readonly bar?: BarSlots;
  readonly panels?: PanelSlots;
  /** In one view in place of the others. */
  readonly inView?: Readonly<Partial<Record<ViewId, PanelSlots>>>;
  /** A file of the open folder as text; it comes with the folder. */
  readonly readFile?: (path: string) => Promise<string | undefined>;
  /** What of Settings comes with the folder. */
  readonly settings?: SettingsParts;
  /** Above everything, whatever is in view. */
  readonly dialogs?: ReactNode;
};

const NO_SLOTS: WorkbenchSlots = {};
const NO_PLACES: readonly Place[] = [];

/** What is looked at: a skill, a file of one, or a file of the folder that is in none. */
export const targetInView = (
  state: WorkspaceState,
  { skill, file }: Pick<UrlState, 'skill' | 'file'>,
): LibraryTarget | undefined => {
  if (state.status !== 'ready') return undefined;
  const found = skillAt(state.workspace.skills, { skill, file });
  const isLoose = skill === undefined && file !== undefined;
  if (!found && !isLoose) return undefined;
  return { skill: found?.id ?? '', ...(file !== undefined && { file }) };
};

const LOADING: WorkspaceState = { status: 'loading' };
/** How far a folder is read concerns the Library alone: the rest is not drawn again for it. */
const withoutProgress = (state: WorkspaceState): WorkspaceState => (state.status === 'loading' ? LOADING : state);

type WorkbenchProps = { readonly deps: WorkbenchDeps; readonly slots?: WorkbenchSlots };

/** The shell with what is open in it. A folder of thousands of skills is drawn in slices between which the page answers. */
export const Workbench = memo(({ deps, slots = NO_SLOTS }: WorkbenchProps) => (
  <OpenWorkbench
    deps={deps}
    slots={slots}
    state={useDeferredValue(useStore(deps.workspace, withoutProgress))}
    commandList={useDeferredValue(useSyncExternalStore(deps.commands.subscribe, deps.commands.list))}
  />
));

type OpenProps = Required<WorkbenchProps> & {
  readonly state: WorkspaceState;
  readonly commandList: readonly Command[];
};

const OpenWorkbench = memo(({ deps, slots, state, commandList }: OpenProps) => {
  const { theme, layout, navigation, commands, shell, network, platform } = deps;
  const place = useSyncExternalStore(navigation.subscribe, navigation.get);
  const density = useSyncExternalStore(deps.density.subscribe, deps.density.get);
  const dialog = useStore(shell, (shown) => shown.dialog);
  const help = useStore(shell, (shown) => shown.help);
  const tour = useStore(shell, (shown) => shown.tour);
  const isNarrow = useMedia('(width < 900px)');

  const skills = skillsIn(state);
  const name = state.status === 'ready' ? state.workspace.name : (deps.folderName() ?? 'demo');
  const inView = targetInView(state, place);
  const selected = inView && skills.find(({ id }) => id === inView.skill);
  const target: LibraryTarget = inView ?? {
    skill: place.skill ?? '',
    ...(place.file !== undefined && { file: place.file }),
  };
  const isGone =
    state.status === 'ready' && state.workspace.stillReading !== 'skills' && place.skill !== undefined && !selected;
  const goTo = (to: LibraryTarget, at?: string): void =>
    navigation.go({ view: 'skills', ...addressOf(to), at, ...(isNarrow && { panel: 'center' }) });

  const view = viewAt(place);
  // Named from the start, so that anyone who goes to a panel knows that it needs its column.
  const isUnnamed = isNarrow && place.panel === undefined;
  useEffect(() => {
    if (isUnnamed) navigation.settle({ panel: narrowStartOf(view) });
  }, [isUnnamed, navigation, view]);
  const { editor: savedFile, ...first } = slotsOf(FIRST_CONTENTS, {
    ...deps,
    state,
    inView,
    selected,
    target,
    goTo,
    goToProblem: ({ skill, diagnostic, line, column }) => {
      // The list stays beside the place it leads to.
      layout.openIn('skills');
      goTo({ skill, file: diagnostic.file }, line === undefined ? undefined : `${line}:${column}`);
    },
    commandFor: (id) => {
      const command = commands.list().find((item) => item.id === id);
      return (
        command && {
          title: command.title,
          disabledReason: disabledReason(command),
          run: () => void commands.run(id),
        }
      );
    },
    appearance: <Appearance theme={theme} density={deps.density} />,
    settingsParts: slots.settings,
    readFile: slots.readFile,
  });
  // Files of other layers are only read: the editor knows those of the open folder.
  const isOnlyRead = isGone || selected?.isInFolder === false;
  const panels: PanelSlots = {
    ...first,
    ...slots.panels,
    ...((isOnlyRead || !slots.panels) && savedFile && { editor: savedFile }),
    ...slots.inView?.[view.id],
  };

  const paths = useSyncExternalStore(deps.files.subscribe, deps.files.paths);
  const places: readonly Place[] =
    dialog === 'palette'
      ? [
          ...skills.map((skill): Place => ({
            id: `place ${skill.id}`,
            title: skill.name,
            kind: 'Go to skill',
            run: () => goTo({ skill: skill.id }),
          })),
          ...paths.map((path): Place => ({
            id: `file ${path}`,
            title: path,
            kind: 'Open file',
            isFile: true,
            run: () => deps.files.open(path),
          })),
        ]
      : NO_PLACES;

  const close = (): void => shell.open(undefined);
  const choose = (id: string): void => {
    close();
    const found = places.find((item) => item.id === id);
    if (found) found.run();
    else commands.run(id);
  };

  return (
    <I18nProvider locale="en-US">
      <DensityContext value={density}>
        <title>{inView ? `${selected?.name ?? inView.file ?? ''} · ${name} · Lathe` : 'Lathe'}</title>
        <Shell
          view={view}
          layout={layout}
          isNarrow={isNarrow}
          tab={place.tab}
          onTab={(tab) => {
            navigation.go({ tab });
            layout.unfold('bottom');
          }}
          side={place.side}
          onSide={(id) => navigation.go(addressOfPanel(id, place))}
          part={place.panel}
          onPart={(panel) => navigation.go({ panel })}
          deps={{
            slots: panels,
            highlight: tour === undefined ? undefined : TOUR[tour]?.title,
            onHelp: shell.showHelp,
            onError: deps.onRegionError,
            onCopy: (text) => deps.copy(text, 'Details copied'),
          }}
          rail={
            <Rail
              inFront={view}
              addressOf={({ id }) => formatUrlState({ ...place, view: id })}
              onGo={(to) => navigation.go({ view: to.id, ...(isNarrow && { panel: narrowStartOf(to) }) })}
              onHelp={() => shell.showHelp('start')}
              isHighlighted={tour !== undefined && TOUR[tour]?.title === 'Views'}
            />
          }
          facts={<NetworkButton network={network} onPress={() => shell.open('network')} />}
          top={
            <>
              <TopBar
                slots={{
                  workspace: state.status === 'ready' && (
                    <>
                      <b>{name}</b> {plural(skills.length, 'skill')}
                    </>
                  ),
                  ...slots.bar,
                }}
                theme={theme}
                commands={commands}
                platform={platform}
                onPalette={() => shell.open('palette')}
              />
              <Notices shell={shell} />
              {tour !== undefined && <Tour step={tour} onStep={shell.showTour} />}
            </>
          }
        />
        <Palette
          isOpen={dialog === 'palette'}
          onClose={close}
          platform={platform}
          input={{ commands: commandList, recent: commands.recent(), places }}
          onChoose={({ id }) => choose(id)}
        />
        <ShortcutsDialog isOpen={dialog === 'shortcuts'} onClose={close} commands={commands} platform={platform} />
        <NetworkDialog isOpen={dialog === 'network'} onClose={close} network={network} />
        <HelpDialog topics={HELP_TOPICS} topic={help} onTopic={shell.showHelp} />
        {slots.dialogs}
        <QuestionDialogs questions={deps.questions} />
        <ToastRegion toasts={deps.toasts} />
      </DensityContext>
    </I18nProvider>
  );
});
