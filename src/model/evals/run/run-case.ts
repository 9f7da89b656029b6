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
  readonly error?: { readonly code: string; readonly message: string; readonly retryable: boolean };
}

export const STUB = 'This tool is not available in this run. Go on without it.';
const LOADED = 'Loaded.';
const MOST_TEXT = 500;

const resultOf = (call: ToolUseBlock, text: string): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId: call.id,
  text,
  isError: false,
});

const person = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

/** Earlier turns of the person are one message with the query, because nobody has answered them. */
const opening = ({ context, query }: TriggerQuery): readonly Message[] => [person([...context, query].join('\n\n'))];

/** `first` is the request of a session with this listing, without messages. */
export const runCase = async (
  first: CanonicalRequest,
  query: TriggerQuery,
  maxTurns: number,
  deps: CaseDeps,
): Promise<CaseResult> => {
  const [loaded, invented, usage] = [new Set<string>(), new Set<string>(), [] as Usage[]];
  const messages: Message[] = [...opening(query)];
  let text = '';
  const end = (outcome: Outcome, turns: number, error?: CaseResult['error']): CaseResult => ({
    outcome,
    loaded: [...loaded],
    invented: [...invented],
    turns,
    usage,
    text: text.slice(0, MOST_TEXT),
    ...(error && { error }),
  });
  for (let turn = 1; turn <= maxTurns; turn++) {
    const result = await deps.call({ ...first, messages: [...messages] });
    if (result.usage) usage.push(result.usage);
    if (!result.ok) {
      const { code, message, retryable } = result.error;
      return end('error', turn, { code, message, retryable });
    }
    const signs = loadsIn(result.content, deps.known);
    for (const sign of signs) {
      if (sign.kind === 'load') loaded.add(sign.skill);
      else if (sign.kind === 'invented') invented.add(sign.name);
    }
    text ||= result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    if (isSettled([...loaded], query)) return end('loaded', turn);
    if (result.stopReason === 'refusal' || result.stopReason === 'max_tokens')
      return end(outcomeOfStop(result.stopReason), turn);
    if (result.stopReason === 'pause_turn') {
      messages.push({ role: 'assistant', content: result.content });
      continue;
    }
    if (signs.length === 0) return end(loaded.size > 0 ? 'loaded' : outcomeOfStop(result.stopReason), turn);
    const answers = signs.map((sign) =>
      resultOf(
        sign.call,
        sign.kind === 'load'
          ? LOADED
          : sign.kind === 'invented'
            ? `There is no skill “${sign.name}”.`
            : (deps.answer?.(sign.call) ?? STUB),
      ),
    );
    messages.push({ role: 'assistant', content: result.content }, { role: 'user', content: answers });
  }
  return end(loaded.size > 0 ? 'loaded' : 'limit', maxTurns);
};
