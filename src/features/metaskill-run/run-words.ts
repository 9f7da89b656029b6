/** One sentence about a run, which leads its column. */
import { plural } from '../../base/text.ts';
import { took } from '../../model/instruments/figures.ts';
import type { Draft } from '../../model/instruments/run-drafts.ts';
import { type RunMoment } from '../../model/instruments/run-moments.ts';
import { readEnvelope, type RunView } from '../../model/instruments/run-view.ts';
import type { Pause } from '../../model/starlark/messages.ts';
import type { MetaskillRun } from '../../stores/session-types.ts';

/** A budget that ended a run, read from the text of its error. */
export const spentBudget = (
  result: string | undefined,
): { readonly kind: 'ask' | 'command'; readonly most: number } | undefined => {
  const [, kind, most] = /: (ask|command) budget exhausted \((\d+) calls?\)/.exec(result ?? '') ?? [];
  return kind === 'ask' || kind === 'command' ? { kind, most: Number(most) } : undefined;
};

export type RunSentence = {
  readonly tone: 'plain' | 'good' | 'warning' | 'error';
  readonly text: string;
  readonly sub: string;
};

const REASONS: Readonly<Record<Pause['reason'], string>> = {
  breakpoint: 'at a breakpoint',
  step: 'after a step',
  entry: 'before its first line',
  pause: 'because you asked',
};

const afterDrafts = (count: number): string => (count === 0 ? '' : ` after ${plural(count, 'draft')}`);

export const sentenceOf = (
  view: RunView,
  run: MetaskillRun | undefined,
  result: string | undefined,
  drafts: readonly Draft[],
  isWaiting: boolean,
): RunSentence => {
  const who = `Run ${view.number}, ${view.isDirect ? 'started by you' : 'started by the model'}`;
  const time = view.durationMs === undefined ? '' : `, ${took(view.durationMs)}`;
  if (isWaiting)
    return {
      tone: 'warning',
      text: 'Waiting for your approval',
      sub: `${who}. Waiting doesn’t count as running time.`,
    };
  if (run?.pause)
    return {
      tone: 'warning',
      text: `Paused ${REASONS[run.pause.reason]}, line ${run.pause.range.line}`,
      sub: `${who}. The time limit is paused.${run.pause.note === undefined ? '' : ` ${run.pause.note}`}`,
    };
  if (view.status === undefined) {
    const writing = drafts.find(({ state }) => state === 'writing');
    return { tone: 'plain', text: writing ? `Writing draft ${writing.number}…` : 'Running', sub: who };
  }
  const spent = spentBudget(result);
  if (spent)
    return {
      tone: 'error',
      text: `${spent.kind === 'ask' ? 'Ask' : 'Command'} ${spent.most + 1} was refused: ${spent.most} of ${spent.most} used`,
      sub: `${who}${time}. A program can’t catch this, so it returned nothing.`,
    };
  if (view.status === 'error') {
    const message = result === undefined ? 'The run failed' : readEnvelope(result).message;
    return { tone: 'error', text: 'The run failed', sub: `${who}${time}. ${message}` };
  }
  const status = `${view.status.charAt(0).toUpperCase()}${view.status.slice(1)}`;
  const isGood = /^(?:accepted|ok|green|done|polished|completed)$/i.test(view.status);
  return { tone: isGood ? 'good' : 'warning', text: `${status}${afterDrafts(drafts.length)}`, sub: `${who}${time}` };
};

const KINDS = { ask: 'ask', command: 'command', trace: 'trace' } as const;

/** What a moment is, beside its number. */
export const momentWords = (moments: readonly RunMoment[], index: number): string => {
  const moment = moments[index];
  if (!moment) return '';
  if (moment.kind === 'line') return `line ${moment.line ?? ''}`;
  if (moment.kind === 'end') return 'the end';
  const number = moments.slice(0, index + 1).filter(({ kind }) => kind === moment.kind).length;
  const label = moment.item?.label ?? '';
  const time = moment.item?.durationMs === undefined ? '' : `, ${took(moment.item.durationMs)}`;
  return `${KINDS[moment.kind]} ${number}${label === '' ? '' : `, ${label}`}${time}`;
};
