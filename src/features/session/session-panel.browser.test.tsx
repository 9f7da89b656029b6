import { describe, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { page, userEvent } from 'vitest/browser';
import '../../ui/base.css';
import { ChangesPanel } from '../changes/changes-panel.tsx';
import { TrustQuestions } from '../consent/trust-dialog.tsx';
import { TrustedMetaskills } from '../consent/trusted-metaskills.tsx';
import { SessionActions, SessionFacts } from './session-head.tsx';
import { SessionPanel } from './session-panel.tsx';
import { SessionQuestions } from './session-questions.tsx';
import { SessionSettings } from './session-settings.tsx';
import { setUpPanel, skillFile, type PanelOptions } from './testing/setup.ts';

const open = async (options: PanelOptions = {}) => {
  const made = await setUpPanel(options);
  const { store, ui, needs } = made;
  const screen = await render(
    <section aria-label="Session" style={{ display: 'flex', flexDirection: 'column', width: 420, height: 700 }}>
      <header>
        <SessionFacts store={store} />
        <SessionActions store={store} ui={ui} needs={needs} />
      </header>
      <SessionPanel store={store} ui={ui} needs={needs} />
      <SessionQuestions store={store} ui={ui} needs={needs} />
    </section>,
  );
  const message = screen.getByRole('textbox', { name: 'Message' });
  const say = async (text: string): Promise<void> => {
    await message.fill(text);
    await screen.getByRole('button', { name: 'Send', exact: true }).click();
  };
  return { ...made, screen, message, say };
};

const idle = async (store: Awaited<ReturnType<typeof open>>['store']): Promise<void> => {
  await expect.poll(() => store.getState().status, { timeout: 20_000 }).toBe('idle');
};

describe('the session panel', () => {
  it('SU1: the first start has an example in the composer, and one click runs it', async () => {
    const { screen, store, message } = await open();
    await expect.poll(() => (message.element() as HTMLTextAreaElement).value).toContain('release notes');
    await screen.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.element(screen.getByRole('article', { name: 'Turn 1' })).toBeVisible();
    await idle(store);
    await expect.element(message).toHaveValue('');
    await expect.element(screen.getByRole('button', { name: 'Raw' }).first()).toBeVisible();
    expect(store.state()?.totals.calls).toBeGreaterThan(0);
  });

  it('SU3: what is streamed is where it will be kept', async () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const { screen, say, store } = await open({
      script: async () => {
        await gate;
        return { content: [{ type: 'text', text: '# Title\n\nA paragraph with **bold** words.' }] };
      },
    });
    await say('Write');
    await expect.element(screen.getByText(/Waiting for claude/)).toBeVisible();
    const seen: number[] = [];
    const watch = new MutationObserver(() => {
      const user = document.querySelector('article p');
      if (user) seen.push(user.getBoundingClientRect().top);
    });
    const transcript = document.querySelector('[aria-label="Transcript"]');
    if (transcript) watch.observe(transcript, { subtree: true, childList: true, characterData: true });
    release();
    await expect.element(screen.getByRole('heading', { name: 'Title' })).toBeVisible();
    await idle(store);
    watch.disconnect();
    expect(new Set(seen).size).toBe(1);
    await expect.element(screen.getByText('bold')).toBeVisible();
  });

  it('SU4: the transcript follows its end until somebody scrolls up', async () => {
    const long = Array.from({ length: 80 }, (_, index) => `Line ${index}`).join('\n\n');
    const { screen, say, store } = await open({ script: () => long });
    await say('one');
    await idle(store);
    const box = screen.getByRole('group', { name: 'Transcript' }).element();
    await expect.poll(() => box.scrollHeight - box.scrollTop - box.clientHeight).toBeLessThan(2);
    const toEnd = screen.getByRole('button', { name: 'Jump to latest' });
    // A text that is drawn anew is shorter for a moment: nobody scrolled.
    box.scrollTop = 0;
    await say('one and a half');
    await idle(store);
    await expect.poll(() => box.scrollHeight - box.scrollTop - box.clientHeight).toBeLessThan(2);
    // What is drawn last may still follow the end after the first scroll.
    await expect
      .poll(() => {
        box.dispatchEvent(new WheelEvent('wheel', { deltaY: -100, bubbles: true }));
        box.scrollTop = 0;
        return toEnd.query() !== null;
      })
      .toBe(true);
    await expect.element(toEnd).toBeVisible();
    await say('two');
    await idle(store);
    expect(box.scrollTop).toBeLessThan(50);
    await toEnd.click();
    await expect.poll(() => box.scrollHeight - box.scrollTop - box.clientHeight).toBeLessThan(2);
  });

  it('SU7: stop keeps what had come, and try again asks once more', async () => {
    const { screen, say, store } = await open({
      script: (_, index) => (index === 0 ? { content: 'Half of it', hang: true } : 'All of it'),
    });
    await say('Tell me');
    await expect.element(screen.getByText('Half of it')).toBeVisible();
    await screen.getByRole('button', { name: 'Stop' }).click();
    await idle(store);
    await expect.element(screen.getByText('Half of it')).toBeVisible();
    await expect.element(screen.getByText('incomplete')).toBeVisible();
    await screen.getByRole('button', { name: 'Try again' }).click();
    await expect.element(screen.getByText('All of it')).toBeVisible();
    await idle(store);
  });

  it('SV8: retries and failures are reported with what to do', async () => {
    const { screen, say, store, services } = await open();
    services.orderFaults('overloaded', 1);
    await say('What is the tide?');
    await expect.element(screen.getByText(/Attempt 1 failed/)).toBeVisible();
    await idle(store);
    expect(store.state()?.turns[0]?.status).toBe('completed');
    services.orderFaults('overloaded', 9);
    await say('And tomorrow?');
    await expect.element(screen.getByRole('alert'), { timeout: 20_000 }).toHaveTextContent(/The request failed/);
    services.orderFaults(undefined, 0);
    await screen.getByRole('button', { name: 'Try again' }).click();
    await idle(store);
    expect(store.state()?.turns.at(-1)?.status).toBe('completed');
  });

  it('SU6: a missing key is said where it happened, and leads to the keys', async () => {
    const { screen, say, store, services, storage } = await open();
    store.change({ provider: 'anthropic', model: 'claude-haiku-4-5' });
    await say('Hello');
    await expect.element(screen.getByRole('alert')).toHaveTextContent(/No API key for/);
    await screen.getByRole('alert').getByRole('button', { name: 'Enter a key' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Keys' });
    await dialog.getByRole('textbox', { name: 'Key for Anthropic' }).fill('sk-ant-nobody-may-see-this-key');
    await dialog.getByRole('button', { name: 'Use the key for Anthropic' }).click();
    await expect.element(dialog.getByText('in memory', { exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(services.keys.get('anthropic')).toContain('sk-ant');
    expect(JSON.stringify([...storage.content]) + store.exportJournal('all')).not.toContain('sk-ant');
  });
});

describe('approvals', () => {
  const call = (id: string, argv: readonly string[]) => ({
    content: [{ type: 'tool_use', id, name: 'run_command', input: { argv } }] as const,
  });
  const commands: string[] = [];
  const options: PanelOptions = {
    runCommand: ({ argv }) => {
      commands.push(argv.join(' '));
      return Promise.resolve({ kind: 'exited', exitCode: 0, output: 'made it' });
    },
    script: (_, index) => [call('t1', ['make', 'all']), call('t2', ['rm', '-r', 'x']), 'Done.'][index] ?? 'Done.',
  };

  it('SU5, SU11: a command asks in a dialog; put off it stays in its card; a denial has a reason', async () => {
    const { screen, say, store } = await open(options);
    await say('Build it');
    const dialog = screen.getByRole('dialog', { name: 'Approve command' });
    await expect.element(dialog).toHaveTextContent('make all');
    await expect.element(dialog).toHaveTextContent('cover every command that starts with make all.');
    await dialog.getByRole('button', { name: 'Decide later' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    const card = screen.getByRole('group', { name: 'run_command make all' });
    await card.getByRole('button', { name: 'Allow once' }).click();
    await expect.element(card).toHaveTextContent('You allowed “make all” once.');
    expect(commands).toEqual(['make all']);
    // SV4: what the tool told about its work (D18).
    await expect.element(card).toHaveTextContent(/exit_code\s*0/);

    await expect.element(dialog).toHaveTextContent('rm -r x');
    await dialog.getByRole('button', { name: 'Deny…' }).click();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('not that folder');
    await dialog.getByRole('button', { name: 'Deny', exact: true }).click();
    await idle(store);
    const denied = screen.getByRole('group', { name: 'run_command rm -r x' });
    await expect.element(denied).toHaveTextContent(/You denied “rm -r x”: not that folder/);
    expect(commands).toEqual(['make all']);
  });
});

describe('what comes from outside', () => {
  it('SU8: the result of a tool is labelled as coming from outside', async () => {
    const { screen, say, store } = await open({
      script: (_, index) =>
        index === 0
          ? { content: [{ type: 'tool_use', id: 't1', name: 'read_file', input: { path: 'AGENTS.md' } }] }
          : 'Done.',
    });
    await say('Read it');
    await idle(store);
    const result = screen.getByRole('article', { name: 'Turn 1' }).getByText(/untrusted content/);
    await expect.element(result).toBeInTheDocument();
    const block = screen.container.querySelector('[aria-label="Result of read_file, untrusted content"]');
    expect(block?.textContent).toContain('Be brief.');
  });
});

describe('mentions', () => {
  it('SV20, SV21: the list opens, is used by keyboard, and closes', async () => {
    const { screen, message } = await open();
    await message.fill('');
    await message.click();
    await userEvent.keyboard('Use $wa');
    const list = screen.getByRole('listbox', { name: 'Skills' });
    await expect.element(list).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await expect.element(message).toHaveValue('Use $wave ');
    await expect.element(list).not.toBeInTheDocument();
    await userEvent.keyboard('and @AG');
    await expect.element(screen.getByRole('option', { name: 'AGENTS.md' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('listbox')).not.toBeInTheDocument();
  });

  it('SV22: refusals are reported before sending', async () => {
    const { screen, message } = await open();
    await message.fill('$tide $wind $wave $rain');
    const list = screen.getByRole('list', { name: 'Mentions' });
    await expect.element(list).toHaveTextContent(/\$tide will be loaded/);
    await expect.element(list).toHaveTextContent(/\$rain will be refused/);
  });
});

describe('dialogs', () => {
  it('SV50, SU9: a raw call is shown, copied, edited and sent again', async () => {
    const { screen, say, store, copied } = await open();
    await say('What is the tide?');
    await idle(store);
    const events = store.journal()?.events.length;
    await screen.getByRole('button', { name: 'Raw' }).first().click();
    const dialog = screen.getByRole('dialog', { name: 'Raw request' });
    await expect.element(dialog.getByRole('group', { name: 'Request body' })).toHaveTextContent('What is the tide?');
    await dialog.getByRole('button', { name: 'Copy as cURL' }).click();
    expect(copied[0]).toContain('$ANTHROPIC_API_KEY');
    await dialog.getByRole('tab', { name: 'Chunks' }).click();
    await expect.element(dialog.getByText('message_start', { exact: true })).toBeVisible();
    await dialog.getByRole('tab', { name: 'Edit and resend' }).click();
    await dialog.getByRole('button', { name: 'Send body' }).click();
    await expect.element(dialog.getByText('not part of the session', { exact: true })).toBeVisible();
    expect(store.journal()?.events.length).toBe(events);
  });

  it('SV30, SET9: settings are checked, applied immediately, and marked', async () => {
    const { screen, say, store, ui, needs } = await open({ script: () => 'Yes.' });
    await say('One');
    await idle(store);
    const form = await render(<SessionSettings store={store} ui={ui} needs={needs} />);
    await form.getByRole('textbox', { name: 'Max output tokens' }).fill('lots');
    await form.getByRole('button', { name: 'Apply' }).click();
    await expect.element(form.getByText(/a whole number of at least 1/)).toBeVisible();
    await form.getByRole('textbox', { name: 'Max output tokens' }).fill('900');
    await form.getByRole('textbox', { name: 'Persona' }).fill('You are a sailor.');
    await form.getByRole('button', { name: 'Apply' }).click();
    await expect
      .element(screen.getByText('Max output tokens: 4,096 → 900, starting with the next request.').first())
      .toBeVisible();
    expect(store.getState().next.persona).toBe('You are a sailor.');
    await form.getByRole('textbox', { name: 'Persona' }).fill('');
    await form.getByRole('button', { name: 'Apply' }).click();
    expect(store.getState().next.persona).toBeUndefined();
  });

  it('SU10: export, delete and import give the same session', async () => {
    const { screen, say, store, downloads } = await open({ script: () => 'Yes.' });
    await say('One');
    await idle(store);
    const menu = async (entry: string): Promise<void> => {
      await screen.getByRole('button', { name: 'Session menu' }).click();
      await page.getByRole('menuitem', { name: entry }).click();
    };
    await menu('Export with content');
    await menu('Delete this session…');
    await screen.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect.element(screen.getByRole('group', { name: 'Examples' })).toBeVisible();
    expect(store.getState().currentId).toBeUndefined();
    await menu('Import…');
    const file = screen.getByRole('dialog', { name: 'Import session' }).getByLabelText('Session file');
    await userEvent.upload(file, new File(['not a journal'], 'x.jsonl'));
    await expect.element(screen.getByRole('alert')).toHaveTextContent(/isn’t a Lathe journal/);
    await userEvent.upload(file, new File([downloads[0]?.text ?? ''], 's.jsonl'));
    await expect.element(screen.getByRole('article', { name: 'Turn 1' })).toHaveTextContent('Yes.');
    const again = store.exportJournal('all').split('\n');
    const before = (downloads[0]?.text ?? '').split('\n').filter((line) => line !== '');
    expect(again.slice(0, before.length)).toEqual(before);
  });

  it('SU16, SET8, POL6: trust is asked at the call with all files, can be put off, given, and revoked', async () => {
    const { screen, say, store, consents } = await open({
      files: {
        'skills/loop/SKILL.md': skillFile('loop', 'Input keys: none'),
        'skills/loop/SKILL.star': 'def run(input):\n  return "x"\n',
      },
      isForeign: () => true,
      script: (_, index) =>
        index % 2 === 0
          ? {
              content: [
                { type: 'tool_use', id: `r${index}`, name: 'run_metaskill', input: { name: 'loop', input: {} } },
              ],
            }
          : 'Done.',
    });
    const questions = await render(<TrustQuestions store={consents} />);
    const dialog = questions.getByRole('dialog', { name: 'Trust metaskill' });
    await say('Run it');
    await expect.element(dialog.getByRole('list', { name: 'Files' })).toHaveTextContent(/SKILL.md.*SKILL.star/);
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await idle(store);
    await screen.getByRole('button', { name: 'Trust metaskill…' }).click();
    await dialog.getByRole('button', { name: 'Trust these files' }).click();
    await expect
      .element(screen.getByText('You now trust these files. Send your message again to run them.'))
      .toBeVisible();
    // Trusted: the next call meets another obstacle, the missing engine.
    await say('Run it again');
    await idle(store);
    await expect.element(screen.getByRole('article', { name: 'Turn 2' })).toHaveTextContent(/starlark runtime/);

    const settings = await render(<TrustedMetaskills store={consents} />);
    await settings.getByRole('button', { name: 'Revoke trust in loop' }).click();
    await expect.element(settings.getByText(/haven’t trusted any external metaskills/)).toBeVisible();
    await say('Once more');
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await idle(store);
    await expect
      .element(screen.getByRole('article', { name: 'Turn 3' }))
      .toHaveTextContent(/external metaskill 'loop' is not allowed/);
  });
});

it('SV60: pending writes are looked at, applied and discarded', async () => {
  const { pending, tree } = await setUpPanel();
  const screen = await render(<ChangesPanel files={pending} />);
  await expect.element(screen.getByText('No pending changes')).toBeVisible();
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  await pending.write('notes.md', bytes('one\ntwo\n'));
  await pending.write('AGENTS.md', bytes('Be kind.'));
  const change = screen.getByRole('article', { name: 'AGENTS.md' });
  await expect.element(change).toHaveTextContent(/Be brief.*Be kind/);
  await tree.write('AGENTS.md', bytes('Be loud.'));
  await screen.getByRole('button', { name: 'Apply AGENTS.md' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent(/changed on disk/);
  await screen.getByRole('button', { name: 'Overwrite AGENTS.md' }).click();
  await expect.poll(() => new TextDecoder().decode(tree.files.get('AGENTS.md'))).toBe('Be kind.');
  await screen.getByRole('button', { name: 'Discard notes.md' }).click();
  await expect.element(screen.getByText('No pending changes')).toBeVisible();
  expect(tree.files.has('notes.md')).toBe(false);
});
