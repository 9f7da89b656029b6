import { describe, expect, it } from 'vitest';
import { type Command, createCommands } from './commands.ts';

const memory = (content: Record<string, string> = {}) => {
  const kept = new Map(Object.entries(content));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
};

const setup = (storage = memory()) => {
  const errors: [id: string, thrown: unknown][] = [];
  const commands = createCommands({ storage, onError: (command, thrown) => errors.push([command.id, thrown]) });
  const ran: string[] = [];
  const command = (id: string, more: Partial<Command> = {}): Command => ({
    id,
    title: id,
    category: 'View',
    run: () => void ran.push(id),
    ...more,
  });
  return { commands, command, ran, errors, storage };
};

describe('the command registry', () => {
  it('CM1: an id is used once', () => {
    const { commands, command } = setup();
    commands.register([command('a')]);
    expect(() => commands.register([command('b'), command('a')])).toThrow('Two commands are called a');
    expect(commands.list().map(({ id }) => id)).toEqual(['a']);
  });

  it('CM2: says why a command does not run', () => {
    const { commands, command, ran } = setup();
    commands.register([command('a', { enabled: () => 'Open a folder first.' }), command('b', { enabled: () => true })]);
    expect(commands.run('nobody')).toBe('No command nobody.');
    expect(commands.run('a')).toBe('Open a folder first.');
    expect(commands.run('b')).toBe(true);
    expect(ran).toEqual(['b']);
  });

  it('CM3: what a command throws reaches onError, immediately or later', async () => {
    const { commands, command, errors } = setup();
    const now = new Error('now');
    const later = new Error('later');
    commands.register([
      command('now', {
        run: () => {
          throw now;
        },
      }),
      command('later', { run: () => Promise.reject(later) }),
    ]);
    commands.run('now');
    commands.run('later');
    await Promise.resolve();
    await Promise.resolve();
    expect(errors).toEqual([
      ['now', now],
      ['later', later],
    ]);
  });

  it('CM4: remembers the last eight, each once, over a reload', () => {
    const { commands, command, storage } = setup();
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    commands.register(ids.map((id) => command(id)));
    for (const id of [...ids, 'c']) commands.run(id);
    expect(commands.recent()).toEqual(['c', 'i', 'h', 'g', 'f', 'e', 'd', 'b']);
    const again = setup(storage);
    again.commands.register([command('b'), command('i')]);
    expect(again.commands.recent()).toEqual(['i', 'b']);
  });

  it('CM5: disposing removes and tells', () => {
    const { commands, command } = setup();
    let told = 0;
    const stop = commands.subscribe(() => void (told += 1));
    const registration = commands.register([command('a')]);
    registration[Symbol.dispose]();
    expect(commands.list()).toEqual([]);
    stop();
    commands.register([command('a')]);
    expect(told).toBe(2);
  });

  it.each([['blocked'], ['broken']])('CM6: works where storage is %s', (how) => {
    const refuse = () => {
      throw new Error('blocked');
    };
    const storage = how === 'blocked' ? { getItem: refuse, setItem: refuse } : memory({ 'lathe.recent-commands': '{' });
    const { commands, command, ran } = setup(storage);
    commands.register([command('a')]);
    expect(commands.recent()).toEqual([]);
    commands.run('a');
    expect(ran).toEqual(['a']);
    expect(commands.recent()).toEqual(['a']);
  });
});
