import { describe, expect, it } from 'vitest';
import { createCommands } from '../commands/commands.ts';
import { commandFor } from '../commands/keyboard.ts';
import { findConflicts, isTypable, type KeyPress, parseShortcut } from '../commands/keymap.ts';
import { panelsAt, viewAt } from '../address/panel-address.ts';
import { BOTTOM, holderOf, PANELS, VIEWS } from '../views/registry.ts';
import { createLayout } from '../shell/layout.ts';
import { createNavigation } from '../address/navigation.ts';
import { type Action, shellCommands } from './shell-commands.ts';
import { createShellStore } from '../shell/shell-state.ts';
import { createStoredChoice } from '../shell/stored-choice.ts';
import { createTheme } from '../shell/theme.ts';

const storage = { getItem: () => null, setItem: () => {} };

const setup = () => {
  const done: string[] = [];
  const action = (name: string, reason?: string): Action<readonly unknown[]> => ({
    enabled: () => reason ?? true,
    run: (...args) => void done.push([name, ...args.map((arg) => JSON.stringify(arg))].join(' ')),
  });
  const hashes: string[] = [];
  const navigation = createNavigation({
    hash: () => '',
    push: (hash) => void hashes.push(hash),
    replace: () => {},
    onMove: () => {},
  });
  const selected: { current: { skill: string } | undefined } = { current: undefined };
  const shell = createShellStore(storage);
  const list = shellCommands({
    shell,
    navigation,
    layout: createLayout(storage),
    theme: createTheme({ storage, show: () => {}, moreContrast: { matches: false, addEventListener: () => {} } }),
    density: createStoredChoice({ storage, key: 'd', values: ['comfortable', 'compact'], show: () => {} }),
    actions: {
      openFolder: action('open', 'Not yet.'),
      newSkill: action('new'),
      rename: action('rename'),
      duplicate: action('duplicate'),
      remove: action('remove', 'Read only.'),
      newFile: action('new file'),
      exportSkill: action('export'),
      share: action('share'),
      fix: action('fix'),
      fixAll: action('fix all'),
    },
    selected: () => selected.current,
    openDemo: () => void done.push('demo'),
    copyPath: ({ skill }) => void done.push(`copy ${skill}`),
    searchLibrary: () => void done.push('search'),
    focusRegion: (direction) => void done.push(`region ${direction}`),
    focus: (region) => void done.push(`focus ${region}`),
    goToProblem: (direction) => void done.push(`problem ${direction}`),
    say: (text) => void done.push(`say ${text}`),
  });
  const commands = createCommands({
    storage,
    onError: (_command, thrown) => {
      throw thrown;
    },
  });
  commands.register(list);
  return { commands, list, done, hashes, selected, shell, navigation };
};

/** What browsers do not hand to a page, or what people would miss in every page. */
const RESERVED = ['Mod+T', 'Mod+N', 'Mod+W', 'Mod+Shift+T', 'Mod+Shift+N', 'Mod+Shift+W', 'Mod+Q', 'Mod+L', 'Mod+R'];
const EDITING = ['Mod+C', 'Mod+V', 'Mod+X', 'Mod+Z', 'Mod+A', 'Mod+F', 'Mod+H', 'Mod+D', 'Mod+S'];

describe('the commands of the shell', () => {
  it.each(['mac', 'other'] as const)('KM5: share no shortcut on %s, and take none that is kept', (platform) => {
    const { list } = setup();
    expect(findConflicts(list, platform)).toEqual([]);
    const kept = [...RESERVED, ...EDITING].map((shortcut) => ({ id: `kept ${shortcut}`, shortcut }));
    expect(findConflicts([...list, ...kept], platform)).toEqual([]);
  });

  it.each(['mac', 'other'] as const)('KM6: none could be typed on %s', (platform) => {
    const typable = setup().list.filter(({ shortcut }) => shortcut && isTypable(parseShortcut(shortcut, platform)));
    expect(typable).toEqual([]);
  });

  it('have titles that differ', () => {
    const titles = setup().list.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('PN6: go to every panel', () => {
    const { commands, done, navigation } = setup();
    for (const { id } of PANELS) {
      expect(commands.run(`go.${id}`)).toBe(true);
      expect(panelsAt(navigation.get())).toContain(holderOf(id));
    }
    const below = new Set<string>(BOTTOM.map(({ id }) => id));
    expect(done).toEqual(PANELS.flatMap(({ id, label }) => (below.has(id) ? [] : [`focus ${label}`])));
  });

  it('VW1: go to every view, by number too', () => {
    const { list, commands, navigation } = setup();
    for (const [index, { id, label }] of VIEWS.entries()) {
      if (id === 'settings') continue;
      expect(list.find(({ id: command }) => command === `go.view-${id}`)).toMatchObject({
        title: `Go to ${label}`,
        shortcut: `Mod+${index + 1}`,
      });
      commands.run(`go.view-${id}`);
      expect(viewAt(navigation.get()).id).toBe(id);
    }
  });

  it('VW2: what went elsewhere says so', () => {
    const { commands, done, navigation } = setup();
    commands.run('go.view-skills');
    commands.run('go.overview');
    expect(viewAt(navigation.get()).id).toBe('sessions');
    expect(done).toEqual(['say The Overview is now called Sessions.']);
  });

  it('run, or say why not', () => {
    const { commands, done, selected, shell, hashes } = setup();
    expect(commands.run('workspace.open-folder')).toBe('Not yet.');
    expect(commands.run('skill.rename')).toBe('Choose a skill in the Library first.');
    selected.current = { skill: 'skills/a' };
    expect(commands.run('skill.delete')).toBe('Read only.');
    for (const id of ['skill.rename', 'skill.copy-path', 'go.next-problem', 'go.search', 'problems.fix-all'])
      expect(commands.run(id)).toBe(true);
    expect(done).toEqual(['rename {"skill":"skills/a"}', 'copy skills/a', 'problem 1', 'search', 'fix all']);
    commands.run('go.problems');
    expect(hashes).toEqual(['#tab=problems']);
    commands.run('view.palette');
    commands.run('help.library');
    expect(shell.getState()).toMatchObject({ dialog: 'palette', help: 'library' });
  });
});

describe('a key press', () => {
  const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
    key,
    code: '',
    ctrlKey: false,
    altKey: false,
    shiftKey: false,
    metaKey: false,
    ...more,
  });
  const free = { isInField: false, isInDialog: false };

  it('finds its command, also while text is typed', () => {
    const { list } = setup();
    const palette = press('k', { ctrlKey: true });
    expect(commandFor(palette, list, 'other', free)?.id).toBe('view.palette');
    expect(commandFor(palette, list, 'other', { ...free, isInField: true })?.id).toBe('view.palette');
    expect(commandFor(palette, list, 'mac', free)).toBeUndefined();
    expect(commandFor(press('F8'), list, 'mac', free)?.id).toBe('go.next-problem');
  });

  it('KM6: is text first where it could be', () => {
    const plain = [{ id: 'x', title: 'x', category: 'View' as const, shortcut: 'X', run: () => {} }];
    expect(commandFor(press('x'), plain, 'other', free)?.id).toBe('x');
    expect(commandFor(press('x'), plain, 'other', { ...free, isInField: true })).toBeUndefined();
  });

  it('KM7: does nothing behind a dialog', () => {
    expect(
      commandFor(press('k', { ctrlKey: true }), setup().list, 'other', { ...free, isInDialog: true }),
    ).toBeUndefined();
  });
});
