/** Blocks of messages, and skills, as the tests of sessions write them. */
import type { Block, ToolUseBlock } from '../../provider/types.ts';
import { skillFile } from './setup.ts';

export const toolUse = (id: string, name: string, input: ToolUseBlock['input']): ToolUseBlock => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const text = (value: string): Block => ({ type: 'text', text: value });
export const results = (content: readonly Block[]): string[] =>
  content.flatMap((block) => (block.type === 'tool_result' ? [block.text] : []));

export const skills = {
  'skills/alpha/SKILL.md': skillFile('alpha', 'Alpha body.'),
  'skills/beta/SKILL.md': skillFile('beta', 'Beta body.'),
  'skills/gamma/SKILL.md': skillFile('gamma', 'Gamma body.'),
  'skills/delta/SKILL.md': skillFile('delta', 'Delta body.'),
};
