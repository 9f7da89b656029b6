/** One query, asked once: until the model has picked, answered without, or used up its turns. */
import type {
  CallResult,
  CanonicalRequest,
  Message,
  ToolResultBlock,
  ToolUseBlock,
  Usage,
} from '../../provider/types.ts';
import type { TriggerQuery } from '../suite/types.ts';
import { isSettled, outcomeOfStop, type Outcome } from './judge.ts';
import { loadsIn, type KnownSkills } from './loads.ts';

export interface CaseDeps {
  readonly call: (request: CanonicalRequest) => Promise<CallResult>;
  readonly known: KnownSkills;
  /** What a tool other than a load answers; absent: a stub that says so. */
  readonly answer?: (call: ToolUseBlock) => string | undefined;
}

export interface CaseResult {
  readonly outcome: Outcome;
  /** In order, each once. */
  readonly loaded: readonly string[];
  readonly invented: readonly string[];
  readonly turns: number;
  readonly usage: readonly Usage[];
  /** What the model said without a tool, in short; for people. */
  readonly text: string;
  /** Step by step, in short; for people. */
  readonly said?: readonly string[];
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly retryable: boolean;
    /** What the provider asked for. */
    readonly retryAfterMs?: number;
  };
}

/** Refusals that speak of one request alone; a wrong key, an empty account, or an unknown model refuses every one. */
const CODES_OF_A_CASE: ReadonlySet<string> = new Set(['invalid_request', 'context_too_long']);

export const isOfTheCase = ({ code }: { readonly code: string }): boolean => CODES_OF_A_CASE.has(code);

export const STUB = 'This tool is not available in this run. Continue without it.';
const LOADED = 'Loaded.';
const MOST_TEXT = 500;
const MOST_SAID = 1500;

const resultOf = (call: ToolUseBlock, text: string): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId: call.id,
  text,
  isError: false,
});

const person = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

/** Earlier turns of the person are one message with the query, because nobody has answered them. */
const opening = ({ context, query }: TriggerQuery): readonly Message[] => [person([...context, query].join('\n\n'))];

export type CaseStep = { readonly request: CanonicalRequest; readonly turn: number } | { readonly result: CaseResult };

export interface CasePlay {
  /** What to ask next, or how it has ended. */
  readonly step: () => CaseStep;
  /** What the model answered to the request of the last step. */
  readonly take: (result: CallResult) => void;
}

/**
 * One case, call by call, so that anyone who makes the calls may make them now or in a batch of tomorrow. `first` is the request of a
 * session with this listing, without messages.
 */
export const playCase = (
  first: CanonicalRequest,
  query: TriggerQuery,
  maxTurns: number,
  { known, answer }: Omit<CaseDeps, 'call'>,
): CasePlay => {
  const [loaded, invented, usage] = [new Set<string>(), new Set<string>(), [] as Usage[]];
  const messages: Message[] = [...opening(query)];
  let text = '';
  const said: string[] = [];
  let room = MOST_SAID;
  const say = (line: string): void => {
    if (room <= 0) return;
    said.push(line.slice(0, room));
    room -= line.length;
  };
  let turn = 1;
  let ended: CaseResult | undefined;
  const end = (outcome: Outcome, error?: CaseResult['error']): void => {
    ended = {
      outcome,
      loaded: [...loaded],
      invented: [...invented],
      turns: turn,
      usage,
      text: text.slice(0, MOST_TEXT),
      said,
      ...(error && { error }),
    };
  };
  const goOn = (...more: readonly Message[]): void => {
    if (turn >= maxTurns) end(loaded.size > 0 ? 'loaded' : 'limit');
    else {
      turn++;
      messages.push(...more);
    }
  };

  const take = (result: CallResult): void => {
    if (result.usage) usage.push(result.usage);
    if (!result.ok) {
      const { code, message, retryable, retryAfterMs } = result.error;
      end('error', { code, message, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) });
      return;
    }
    for (const block of result.content)
      if (block.type === 'text') say(block.text);
      else if (block.type === 'tool_use') say(`→ ${block.name} ${JSON.stringify(block.input)}`);
    const signs = loadsIn(result.content, known);
    for (const sign of signs) {
      if (sign.kind === 'load') loaded.add(sign.skill);
      else if (sign.kind === 'invented') invented.add(sign.name);
    }
    text ||= result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    if (isSettled([...loaded], query)) end('loaded');
    else if (result.stopReason === 'refusal' || result.stopReason === 'max_tokens')
      end(outcomeOfStop(result.stopReason));
    else if (result.stopReason === 'pause_turn') goOn({ role: 'assistant', content: result.content });
    else if (signs.length === 0) end(loaded.size > 0 ? 'loaded' : outcomeOfStop(result.stopReason));
    else {
      const answers = signs.map((sign) =>
        resultOf(
          sign.call,
          sign.kind === 'load'
            ? LOADED
            : sign.kind === 'invented'
              ? `There is no skill “${sign.name}”.`
              : (answer?.(sign.call) ?? STUB),
        ),
      );
      goOn({ role: 'assistant', content: result.content }, { role: 'user', content: answers });
    }
  };
  return {
    step: () => (ended ? { result: ended } : { request: { ...first, messages: [...messages] }, turn }),
    take,
  };
};

export const runCase = async (
  first: CanonicalRequest,
  query: TriggerQuery,
  maxTurns: number,
  deps: CaseDeps,
): Promise<CaseResult> => {
  const play = playCase(first, query, maxTurns, deps);
  for (;;) {
    const step = play.step();
    if ('result' in step) return step.result;
    play.take(await deps.call(step.request));
  }
};
