/** What changed between two requests of ours, named as the person knows it (OWN1 to OWN4). */
import { isObject } from '../../../base/json.ts';
import type { CacheBlock } from '../types.ts';
import type { Comparison } from './comparison.ts';
import { memoryChange, stableChange, type OwnChange } from './own-prompt.ts';
import { blockPosition, differenceOf, parsedText } from './text-difference.ts';
import { toolFinding, toolNames } from './tool-causes.ts';
import type { Finding, OwnSegment } from './types.ts';

/** Both requests are ours, and of one folder. */
export const areOurs = ({ base, current }: Comparison): boolean => {
  const [old, fresh] = [base.call.own, current.call.own];
  return old !== undefined && fresh !== undefined && old.folder === fresh.folder;
};

/** Two folders have nothing to share. */
export const areOfTwoFolders = ({ base, current }: Comparison): boolean => {
  const [old, fresh] = [base.call.own, current.call.own];
  return old !== undefined && fresh !== undefined && old.folder !== fresh.folder;
};

const PAID_ONCE =
  'If you meant this change, there is nothing to repair. You pay for it once, and the next request reads the new prefix. Change several files together instead of one by one.';
const PAID_EACH_TIME =
  'After each memory change, the provider must rewrite the conversation that follows. Write memory at the end of the session, or leave the conversation uncached.';

const toolSegment = ({ base, current, common }: Comparison): OwnSegment => {
  const [was, is] = [toolNames(base.blocks), toolNames(current.blocks)];
  const name = is.find((each) => !was.includes(each)) ?? was.find((each) => !is.includes(each)) ?? is[common] ?? '';
  return { kind: 'tool', name };
};

/** What follows the stable prompt begins with this. */
const ENVIRONMENT = /^\s*## Environment\n/;

const promptChange = ({ base, current, common }: Comparison): OwnChange | undefined => {
  const [old, fresh] = [base.call.own, current.call.own];
  const [before, after] = [base.blocks[common], current.blocks[common]];
  if (!old || !fresh) return undefined;
  const [oldStable, freshStable] = [old, fresh].map(({ parts }) => parts.map(({ text }) => text).join('')) as [
    string,
    string,
  ];
  const [was, is] = [textOf(before), textOf(after)];
  if (was.startsWith(oldStable) && is.startsWith(freshStable) && freshStable !== '') {
    const change = stableChange(old, fresh);
    return change ?? memoryChange(was.slice(oldStable.length), is.slice(freshStable.length));
  }
  return ENVIRONMENT.test(was) || ENVIRONMENT.test(is) ? memoryChange(was, is) : undefined;
};

/** What a person wrote there: a block is a string, or an object with a string. */
const textOf = (block: CacheBlock | undefined): string => {
  const value = block && parsedText(block.text);
  if (typeof value === 'string') return value;
  return isObject(value) && typeof value['text'] === 'string' ? value['text'] : '';
};

const positionOf = ({ base, current, common }: Comparison): NonNullable<Finding['position']> => {
  const [old, fresh] = [base.blocks[common], current.blocks[common]];
  return old && fresh ? differenceOf(old, fresh).position : blockPosition(fresh?.label ?? old?.label ?? '', old, fresh);
};

/** Undefined: not ours, or the difference is in the conversation. */
export const ownFinding = (comparison: Comparison): Finding | undefined => {
  if (!areOurs(comparison)) return undefined;
  const { base, current, common, continues } = comparison;
  const first = [base.blocks[common], current.blocks[common]];
  if (first.some((block) => block?.label.startsWith('tools['))) {
    const finding = toolFinding(comparison);
    const position = { ...(finding.position ?? positionOf(comparison)), segment: toolSegment(comparison) };
    return continues
      ? { ...finding, position }
      : {
          cause: 'shared-prefix-differs',
          position,
          evidence: ['The previous session had different tools.', ...finding.evidence],
          repair: PAID_ONCE,
          certainty: 'likely',
        };
  }
  const change = promptChange(comparison);
  if (!change) return undefined;
  const position = { ...positionOf(comparison), segment: change.segment };
  if (continues)
    return {
      cause: 'volatile-value-in-system',
      position,
      evidence: [change.what, 'The provider must rewrite everything after it.'],
      repair: PAID_EACH_TIME,
    };
  return {
    cause: 'shared-prefix-differs',
    position,
    evidence: [change.what, 'The previous session cached its prefix. The provider must rewrite it from here.'],
    repair: PAID_ONCE,
    certainty: 'likely',
  };
};
