import { describe, expect, it } from 'vitest';
import { blockTexts } from '../cache/block-tokens.ts';
import { segmentsOfBody } from './body-segments.ts';
import { countedBlocks, segmentSizes, textsToCount } from './segment-sizes.ts';

const BODY = JSON.stringify({
  model: 'claude-haiku-4-5',
  tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }],
  system: [{ type: 'text', text: 'Be brief.\\n\\nUse tabs.' }],
  messages: [{ role: 'user', content: 'hello' }],
});

const whole = () => {
  const read = segmentsOfBody(BODY, 'anthropic-messages', {
    tools: [],
    stable: [
      { kind: 'persona', id: 'persona', text: 'Be brief.' },
      { kind: 'instructions', id: 'instructions', text: '\\n\\nUse tabs.' },
    ],
  });
  if (!read.ok) throw new Error(read.error);
  return read.value;
};

describe('tokens of segments', () => {
  it('SG9: segments of one block share its tokens, and add up to them', () => {
    const read = whole();
    expect(read.segments.map(({ id }) => id)).toEqual(['tool:look', 'persona', 'instructions', 'message:0.0']);
    expect(textsToCount(read)).toEqual([...blockTexts(read.request), ...read.segments.map(({ text }) => text)]);
    // Three blocks; then the segments: 30, 3 and 5 of one block, 1.
    const counts = [30, 7, 1, 30, 3, 5, 1];
    expect(countedBlocks(read, counts, 'claude-haiku-4-5')).toEqual([32, 8, 2]);
    const sizes = segmentSizes(read, counts, { hidden: 496, blocks: [32, 10, 2] });
    // 10 × 3/8 is 3.75.
    expect(sizes).toEqual({ hidden: 496, tokens: [32, 4, 6, 2] });
  });
});
