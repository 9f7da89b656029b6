/** What the three witnesses say about a request: our own comparison, the provider, and the counters. */
import { grouped, money } from './figures.ts';
import { requestTitle } from './request-names.ts';
import { verdictWords } from './verdict-words.ts';
import type { Verdict, WaterfallRow } from './waterfall-view.ts';

export interface WitnessWords {
  readonly comparison: string;
  readonly provider: string;
  readonly usage: string;
}

export const witnessWords = ({ evidence, provider_said: said, usage_says: usage }: Verdict): WitnessWords => {
  // Without what the provider says for itself.
  const own = evidence.filter((sentence) => said === null || !said.includes(sentence));
  return {
    comparison: own.length > 0 ? own.join(' ') : 'Nothing readable differs.',
    provider: said?.replace(/^The provider says: /, '') ?? 'said nothing about its cache.',
    usage: usage ?? 'was not reported.',
  };
};

/** A request and its witnesses as plain lines, for where there is no room beside it. */
export const witnessText = ({ number, model, actual, costUsd, verdict, failure }: WaterfallRow): string => {
  const lines = [`${requestTitle(number)}, ${model}`];
  if (actual)
    lines.push(
      `${grouped(actual.read)} read, ${grouped(actual.written)} written, ${grouped(actual.uncached)} uncached, ${grouped(actual.output)} output: ${money(costUsd)}`,
    );
  if (failure !== undefined) lines.push(failure);
  if (verdict) {
    const { title, about } = verdictWords(verdict.cause, verdict.position?.label);
    const { comparison, provider, usage } = witnessWords(verdict);
    lines.push(
      `${title}. ${about}`,
      `Our comparison: ${comparison}`,
      `The provider: ${provider}`,
      `The usage: ${usage}`,
    );
    if (verdict.repair !== '') lines.push(`What to do: ${verdict.repair}`);
  }
  return lines.join('\n');
};
