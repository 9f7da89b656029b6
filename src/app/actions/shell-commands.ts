/** The commands of the workbench itself. Features add their own at the composition root. */
import type { LibraryTarget } from '../../features/library/library-view.ts';
import type { Problem } from '../../features/problems/problems-view.ts';
import { DENSITIES, type Density } from '../../ui/density.ts';
import type { Command } from '../commands/commands.ts';
import { isFoldable, type Layout } from '../shell/layout.ts';
import type { Navigation } from '../address/navigation.ts';
import type { ShellStore } from '../shell/shell-state.ts';
import type { StoredChoice } from '../shell/stored-choice.ts';
import { addressOfPanel, viewAt } from '../address/panel-address.ts';
import { HELP_TOPICS, holderOf, isBottomId, type PageView, type Panel, PANELS, VIEWS } from '../views/registry.ts';
import { placeOfPanel } from '../views/views.ts';
import { THEME_LABELS, THEMES, type ThemeStore } from '../shell/theme.ts';

/** Something that may not be possible now. */
export interface Action<Args extends readonly unknown[] = readonly []> {
  /** True, or the reason why not; without arguments, whether it can be done with anything. */
  readonly enabled: (...args: Partial<Args>) => true | string;
  readonly run: (...args: Args) => void | Promise<void>;
}

/** What can be done with folders and files; anyone who owns the files provides it. */
export interface WorkspaceActions {
  readonly openFolder: Action;
  readonly newSkill: Action;
  readonly rename: Action<readonly [LibraryTarget]>;
  readonly duplicate: Action<readonly [LibraryTarget]>;
  readonly remove: Action<readonly [LibraryTarget]>;
  readonly newFile: Action<readonly [LibraryTarget]>;
  readonly exportSkill: Action<readonly [LibraryTarget]>;
  readonly share: Action<readonly [LibraryTarget]>;
  readonly fix: Action<readonly [Problem]>;
  readonly fixAll: Action;
}

export interface ShellCommandDeps {
  readonly shell: ShellStore;
  readonly layout: Layout;
  readonly navigation: Navigation;
  readonly theme: ThemeStore;
  readonly density: StoredChoice<Density>;
  readonly actions: WorkspaceActions;
  /** What is selected in the library. */
  readonly selected: () => LibraryTarget | undefined;
  readonly openDemo: () => void;
  readonly copyPath: (target: LibraryTarget) => void;
  readonly searchLibrary: () => void;
  readonly focusRegion: (direction: 1 | -1) => void;
  /** Into the region with this name. */
  readonly focus: (region: string) => void;
  readonly goToProblem: (direction: 1 | -1) => void;
  /** In passing. */
  readonly say: (text: string) => void;
}

const fileCommands = ({ actions, openDemo }: ShellCommandDeps): Command[] => [
  {
    id: 'workspace.open-folder',
    title: 'Open folder',
    category: 'File',
    shortcut: 'Mod+O',
    keywords: 'workspace disk directory',
    ...actions.openFolder,
  },
  {
    id: 'workspace.open-demo',
    title: 'Open demo',
    category: 'File',
    keywords: 'example reset',
    run: openDemo,
  },
  { id: 'skill.new', title: 'New skill', category: 'File', keywords: 'create template', ...actions.newSkill },
];

const skillCommands = ({ actions, selected, copyPath }: ShellCommandDeps): Command[] => {
  const onSelected = (
    id: string,
    title: string,
    action: Action<readonly [LibraryTarget]>,
    keywords?: string,
  ): Command => ({
    id,
    title,
    category: 'Skill',
    // The row itself has a menu.
    inMenu: false,
    ...(keywords !== undefined && { keywords }),
    enabled: () => {
      const target = selected();
      return target ? action.enabled(target) : 'Choose a skill in the Library first.';
    },
    run: () => {
      const target = selected();
      return target && action.run(target);
    },
  });
  return [
    onSelected('skill.rename', 'Rename', actions.rename),
    onSelected('skill.duplicate', 'Duplicate', actions.duplicate, 'copy'),
    onSelected('skill.copy-path', 'Copy path', { enabled: () => true, run: copyPath }, 'clipboard'),
    onSelected('skill.export', 'Export as zip', actions.exportSkill, 'download share'),
    onSelected('skill.delete', 'Delete', actions.remove, 'remove trash'),
    {
      id: 'problems.fix-all',
      title: 'Fix all safe problems',
      category: 'Skill',
      keywords: 'problems quick fix',
      enabled: actions.fixAll.enabled,
      run: () => actions.fixAll.run(),
    },
  ];
};

const viewCommands = ({ shell, layout, theme, density }: ShellCommandDeps): Command[] => [
  {
    id: 'view.palette',
    title: 'Show all commands',
    category: 'View',
    shortcut: 'Mod+K',
    inMenu: false,
    inPalette: false,
    run: () => shell.open('palette'),
  },
  {
    id: 'view.library',
    title: 'Toggle left column',
    category: 'View',
    shortcut: 'Mod+B',
    keywords: 'library sources',
    run: () => layout.toggle('left'),
  },
  {
    id: 'view.session',
    title: 'Toggle right column',
    category: 'View',
    shortcut: 'Mod+Alt+B',
    keywords: 'session request checks',
    run: () => layout.toggle('right'),
  },
  {
    id: 'view.instruments',
    title: 'Toggle panel',
    category: 'View',
    shortcut: 'Mod+J',
    keywords: 'instruments problems events terminal changes log bottom',
    run: () => layout.toggle('bottom'),
  },
  {
    id: 'view.enlarge-instruments',
    title: 'Enlarge panel',
    category: 'View',
    shortcut: 'Mod+Alt+J',
    keywords: 'instruments maximise full',
    run: layout.enlarge,
  },
  { id: 'view.reset', title: 'Reset layout', category: 'View', keywords: 'layout sizes default', run: layout.reset },
  ...THEMES.map((name): Command => ({
    id: `view.theme-${name}`,
    title: `Theme: ${THEME_LABELS[name]}`,
    category: 'View',
    keywords: 'colour color appearance',
    inMenu: false,
    run: () => theme.set(name),
  })),
  {
    id: 'view.density',
    title: 'Change density',
    category: 'View',
    keywords: 'compact comfortable rows',
    inMenu: false,
    run: () => density.set(DENSITIES.find((value) => value !== density.get()) ?? 'comfortable'),
  },
];

/** Goes to a panel, in the view in front if that has it. */
const panelCommand =
  ({ navigation, layout, focus }: ShellCommandDeps) =>
  ({ id, label, shortcut }: Panel): Command => ({
    id: `go.${id}`,
    title: label,
    category: 'Go',
    keywords: 'show instrument panel tab region',
    inMenu: shortcut !== undefined,
    ...(shortcut !== undefined && { shortcut }),
    run: () => {
      const held = holderOf(id);
      const isBelow = isBottomId(held);
      const column = placeOfPanel(VIEWS, held, viewAt(navigation.get()))?.column.id ?? 'center';
      navigation.go(addressOfPanel(id, navigation.get()));
      const part = isBelow ? 'bottom' : column;
      if (isFoldable(part)) layout.unfold(part);
      // Tabs are changed without leaving the place where one writes.
      if (!isBelow) focus(label);
    },
  });

/** Goes to a view. */
const viewCommand =
  ({ navigation }: ShellCommandDeps) =>
  (view: PageView): Command => ({
    id: `go.view-${view.id}`,
    title: `Go to ${view.label}`,
    category: 'Go',
    keywords: 'view window',
    ...('shortcut' in view && { shortcut: view.shortcut }),
    run: () => navigation.go({ view: view.id }),
  });

/** What went elsewhere says so, and goes there. */
const movedCommands = ({ navigation, say }: ShellCommandDeps): Command[] => [
  {
    id: 'go.overview',
    title: 'Overview',
    category: 'Go',
    keywords: 'instruments',
    inMenu: false,
    run: () => {
      navigation.go({ view: 'sessions' });
      say('The Overview is now called Sessions.');
    },
  },
];

const goCommands = (deps: ShellCommandDeps): Command[] => [
  {
    id: 'go.search',
    title: 'Search Library',
    category: 'Go',
    shortcut: 'Mod+Shift+F',
    keywords: 'find skill filter',
    run: deps.searchLibrary,
  },
  {
    id: 'go.next-region',
    title: 'Next region',
    category: 'Go',
    shortcut: 'F6',
    inMenu: false,
    run: () => deps.focusRegion(1),
  },
  {
    id: 'go.previous-region',
    title: 'Previous region',
    category: 'Go',
    shortcut: 'Shift+F6',
    inMenu: false,
    run: () => deps.focusRegion(-1),
  },
  { id: 'go.next-problem', title: 'Next problem', category: 'Go', shortcut: 'F8', run: () => deps.goToProblem(1) },
  {
    id: 'go.previous-problem',
    title: 'Previous problem',
    category: 'Go',
    shortcut: 'Shift+F8',
    run: () => deps.goToProblem(-1),
  },
  ...VIEWS.filter(({ id }) => id !== 'settings').map(viewCommand(deps)),
  ...PANELS.map(panelCommand(deps)),
  ...movedCommands(deps),
];

const helpCommands = ({ shell }: ShellCommandDeps): Command[] => [
  {
    id: 'help.shortcuts',
    title: 'Keyboard shortcuts',
    category: 'Help',
    shortcut: 'Mod+/',
    run: () => shell.open('shortcuts'),
  },
  {
    id: 'help.tour',
    title: 'Take tour',
    category: 'Help',
    keywords: 'introduction start',
    run: () => shell.showTour(0),
  },
  {
    id: 'help.network',
    title: 'Show network activity',
    category: 'Help',
    keywords: 'network hosts privacy bytes',
    run: () => shell.open('network'),
  },
  ...HELP_TOPICS.map(({ id, title }): Command => ({
    id: `help.${id}`,
    title: `Help: ${title}`,
    category: 'Help',
    inMenu: id === 'start',
    run: () => shell.showHelp(id),
  })),
];

export const shellCommands = (deps: ShellCommandDeps): readonly Command[] => [
  ...fileCommands(deps),
  ...skillCommands(deps),
  ...viewCommands(deps),
  ...goCommands(deps),
  ...helpCommands(deps),
];
