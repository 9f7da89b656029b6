import { describe, expect, it } from 'vitest';
import { playScenario } from '../scenario.ts';
import type { SimConversation } from '../types.ts';
import { builtinBehaviour } from './decide.ts';
import { withoutNotices } from './notices.ts';

const tool = (name: string, description = 'Does anything that you can think of, greets and says who it is.') => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
});
const BOX = ['Bash', 'Read', 'Workflow', 'Skill', 'ReportFindings'].map((name) => tool(name));
const REMINDER = '<system-reminder>\n# Environment\n - Primary working directory: /home/me/proj\n</system-reminder>';
const LISTING =
  '<system-reminder>\nThe following skills are available for use with the Skill tool:\n\n- commit-message: Writes commit messages. Use when somebody asks for a commit message.\n</system-reminder>';

const ask = (...texts: readonly string[]): SimConversation => ({
  wire: 'anthropic-messages',
  model: 'claude-haiku-4-5',
  system: 'You are Claude Code.',
  tools: BOX,
  messages: [{ role: 'user', content: texts.map((text) => ({ type: 'text', text })) }],
  toolChoice: 'auto',
  thinking: false,
});

describe('what a harness says', () => {
  it('SI59: notices are not speech, wherever they are', () => {
    expect(withoutNotices('<system-reminder>a</system-reminder>\nHi')).toBe('Hi');
    expect(withoutNotices('<environment_context>\n<cwd>/x</cwd>\n</environment_context>')).toBe('');
    expect(withoutNotices('1 < 2 and <b>bold</b>')).toBe('1 < 2 and <b>bold</b>');
    expect(withoutNotices('said <system-reminder> never ends')).toBe('said');
    expect(withoutNotices('# AGENTS.md instructions for /x\n\nDo this.')).toBe('');
  });

  it('SI59: a listed skill is loaded with the Skill tool, and its body ends the turn', () => {
    const first = ask(LISTING, 'Write a commit message for this change');
    expect(builtinBehaviour(first).toolCalls).toEqual([{ name: 'Skill', input: { skill: 'commit-message' } }]);
    const reply = builtinBehaviour({
      ...first,
      messages: [
        ...first.messages,
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't', name: 'Skill', input: { skill: 'commit-message' } }],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', toolUseId: 't', text: 'Launching skill: commit-message', isError: false },
            {
              type: 'text',
              text: 'Base directory for this skill: /p/.claude/skills/commit-message\n\n# Commit\nWrite a subject.',
            },
          ],
        },
      ],
    });
    expect(reply.toolCalls).toEqual([]);
    expect(reply.text).not.toBe('');
  });

  it('SI37, SI59: a skill that came without a body is reported, and what the harness says for the person is not speech', () => {
    const first = ask(LISTING, 'Write a commit message for this change');
    const loaded = {
      ...first,
      messages: [
        ...first.messages,
        {
          role: 'assistant' as const,
          content: [{ type: 'tool_use' as const, id: 't', name: 'Skill', input: { skill: 'commit-message' } }],
        },
        {
          role: 'user' as const,
          content: [
            { type: 'tool_result' as const, toolUseId: 't', text: '`Bash` failed: exit code 129', isError: false },
          ],
        },
      ],
    };
    expect(builtinBehaviour(loaded).text).toContain('exit code 129');
    const last = loaded.messages.at(-1)?.content ?? [];
    const nudge = { type: 'text' as const, text: '[Your previous response had no visible output. Please continue.]' };
    const again = {
      ...loaded,
      messages: [...loaded.messages.slice(0, -1), { role: 'user' as const, content: [...last, nudge] }],
    };
    expect(builtinBehaviour(again)).toEqual(builtinBehaviour(loaded));
  });

  it('SI60: a greeting gets an answer, and no tool is called without a reason', () => {
    for (const text of ['Hello, who are you?', 'Tell me a story about sailing', 'What do you think of findings?'])
      expect(builtinBehaviour(ask(REMINDER, text)).toolCalls).toEqual([]);
    expect(builtinBehaviour(ask(REMINDER, 'Hello, who are you?')).text).toMatch(/^Hello/);
  });

  it('SI60: a file, a command, and a name are reasons', () => {
    const calls = (text: string) => builtinBehaviour(ask(REMINDER, text)).toolCalls;
    expect(calls('What does notes/a.txt say?')).toEqual([
      { name: 'Read', input: { file_path: '/home/me/proj/notes/a.txt' } },
    ]);
    expect(calls('Run `ls -la` for me')).toMatchObject([{ name: 'Bash', input: { command: 'ls -la' } }]);
    expect(calls('Use ReportFindings now')).toMatchObject([{ name: 'ReportFindings' }]);
  });

  it('SI61: a rule that goes in circles ends', () => {
    const player = playScenario({
      rules: [{ when: { contains: 'list' }, reply: { tool_calls: [{ name: 'Bash', input: { command: 'list' } }] } }],
    });
    const conversation = ask('list it');
    const messages = [...conversation.messages];
    let requests = 0;
    for (; requests < 50; requests++) {
      const reply = player.reply({ ...conversation, messages }, requests);
      if (reply === 'error' || !reply || reply.toolCalls.length === 0) break;
      const id = `t${requests}`;
      messages.push(
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'list' } }] },
        { role: 'user', content: [{ type: 'tool_result', toolUseId: id, text: 'a list', isError: false }] },
      );
    }
    expect(requests).toBe(8);
  });
});
