/**
 * Claude Code's transcripts, line by line: the main file of a session, and those of its sub-agents and compactions. One
 * answer is several lines with one id; the last of them has the usage (`SPEC.md`, CC1 to CC12).
 */
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { type Ttl, type Usage, writtenTokens } from '../../provider/types.ts';
import { usageFromWire } from '../../provider/usage.ts';
import { type Call, callWithBody, type Conversation } from '../call.ts';
import { Replay, type Whole } from './replay.ts';
import { rebuiltBody, rebuiltRequest, type Sent, Transcript } from './transcript.ts';

const PROVIDER = 'anthropic';
const WIRE = 'anthropic-messages';

const text = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const timeOf = (value: Json | undefined): number | undefined => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : undefined;
};
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

interface Lane {
  readonly conversation: Conversation;
  readonly transcript: Transcript;
  readonly isProgress: boolean;
  /** Of the latest line that the next request could have sent. */
  askedAt?: number;
  ttl: Ttl;
  incidents: string[];
  version?: string;
  last?: Draft;
  /** What the previous request has left, and which model it was for. */
  left?: { readonly tokens: number; readonly model: string } | undefined;
  /** Tokens of tools and system prompt, as far as bills tell so far. */
  headTokens?: number;
}

interface Draft {
  readonly id: string;
  readonly lane: Lane;
  readonly facts: Omit<Call, 'body'>;
  readonly content: Json[];
  readonly sent: Sent;
  /** Of the whole request, where the transcript holds it. */
  readonly ref: string | undefined;
  headTokens?: number;
  whole?: Whole;
}

interface ReadTranscript {
  readonly calls: readonly Call[];
  /** Calls of sub-agents that are in the main file as well; used only where a sub-agent has no file of its own. */
  readonly copies: readonly Call[];
}

interface ClaudeCodeReader {
  readonly add: (line: JsonObject, number: number) => void;
  readonly end: () => ReadTranscript;
}

const isResult = (content: Json | undefined): boolean =>
  list(content).some((block) => isObject(block) && block['type'] === 'tool_result');

/** Said of a tool server that was connected while the conversation continued. */
const LATE_TOOLS = 'A tool server was connected (or connected again) right before it, so the list of tools changed.';

const TASK = /^<task-notification>/;
const RECONNECTED = /<local-command-stdout>\s*(?:Reconnected to|Authentication successful)|^mcp_instructions/;

const incidentOf = (content: Json | undefined): string | undefined => {
  const said = typeof content === 'string' ? content : '';
  if (TASK.test(said)) return 'A background task had reported back right before it.';
  return RECONNECTED.test(said) ? LATE_TOOLS : undefined;
};

const ttlOf = ({ writes }: Usage): Ttl | undefined => {
  if ((writes['1h'] ?? 0) > 0) return '1h';
  return (writes['5m'] ?? 0) > 0 ? '5m' : undefined;
};

/** English text and JSON, in the tokens of Claude's models. */
const CHARACTERS_PER_TOKEN = 3.2;

const leftBy = (usage: Usage): number => usage.read + writtenTokens(usage);

/** Usage counts exactly; less than this share of what was left is a part of it. */
const PART = 0.95;

/**
 * Tools and system prompt are not in a transcript, but bills tell their size: nearly, by what the first request leaves
 * besides its messages; exactly, as soon as a request reads a part of what was left, because only their end is marked.
 */
const learnHead = (draft: Draft, usage: Usage): void => {
  const { lane, sent } = draft;
  const left = lane.left?.model === draft.facts.model ? lane.left.tokens : undefined;
  if (left !== undefined && usage.read > 0 && usage.read < left * PART) lane.headTokens = usage.read;
  else if (lane.headTokens === undefined && leftBy(usage) > 0) {
    const said = sent.messages
      .slice(0, sent.count)
      .reduce((sum, { content }) => sum + JSON.stringify(content).length, 0);
    lane.headTokens = Math.max(0, leftBy(usage) - Math.round(said / CHARACTERS_PER_TOKEN));
  }
  if (lane.headTokens !== undefined) draft.headTokens = lane.headTokens;
};

export const createClaudeCodeReader = (file: string): ClaudeCodeReader => {
  const lanes = new Map<string, Lane>();
  /** Sub-agents of old versions lie in the main file and have no id: their root tells them apart. */
  const sideRoots = new Map<string, string>();
  const drafts = new Map<string, Draft>();
  const replay = new Replay();

  const laneOf = (conversation: Conversation, isProgress = false): Lane => {
    const key = `${isProgress ? 'copy ' : ''}${conversation.id}`;
    const known = lanes.get(key);
    if (known) return known;
    const lane: Lane = { conversation, transcript: new Transcript(), isProgress, ttl: '5m', incidents: [] };
    lanes.set(key, lane);
    return lane;
  };

  const conversationOf = (line: JsonObject): Conversation => {
    const session = text(line['sessionId']) ?? file;
    const agent = text(line['agentId']);
    if (agent !== undefined)
      return {
        id: `${session}/${agent}`,
        kind: agent.startsWith('acompact') ? 'compaction' : 'sub-agent',
        parent: session,
      };
    if (line['isSidechain'] !== true) return { id: session, kind: 'main' };
    const uuid = text(line['uuid']) ?? '';
    const root = sideRoots.get(text(line['parentUuid']) ?? '') ?? uuid;
    sideRoots.set(uuid, root);
    return { id: `${session}/${root}`, kind: 'sub-agent', parent: session };
  };

  const user = (lane: Lane, line: JsonObject, message: JsonObject): void => {
    const { transcript } = lane;
    const content = message['content'] ?? null;
    if (!isResult(content)) transcript.rewind(text(line['parentUuid']));
    // Its boundary may be missing from a file that was cut or put together.
    if (line['isCompactSummary'] === true && !transcript.isCompacted) transcript.compact();
    const incident = incidentOf(content);
    if (incident !== undefined) lane.incidents.push(incident);
    if (content !== null) transcript.user(content);
    lane.askedAt = timeOf(line['timestamp']) ?? lane.askedAt ?? 0;
  };

  /** Text that was added to the request: its exact words, where the version tells them. */
  const attachment = (lane: Lane, line: JsonObject): void => {
    const at = timeOf(line['timestamp']);
    if (at !== undefined) lane.askedAt = at;
    const added = isObject(line['attachment']) ? line['attachment'] : {};
    const kind = text(added['type']) ?? '';
    if (/tools_delta$|^mcp_/.test(kind) && lane.transcript.sent.count > 0) lane.incidents.push(LATE_TOOLS);
    if (line['renderedRole'] !== undefined && line['renderedRole'] !== 'user') return;
    for (const part of [...list(line['rendered']), ...list(added['rendered'])])
      if (isObject(part) && typeof part['content'] === 'string') lane.transcript.user(part['content']);
  };

  const begin = (lane: Lane, line: JsonObject, message: JsonObject, id: string, number: number): Draft => {
    const model = text(message['model']) ?? '';
    const { transcript, conversation } = lane;
    const version = text(line['version']);
    const sent: Sent = transcript.sent;
    const head = conversation.id;
    const answeredAt = timeOf(line['timestamp']);
    const startedAt = lane.askedAt ?? answeredAt ?? 0;
    const session = text(line['sessionId']);
    const agent = text(line['agentId']);
    const notes = [...new Set(lane.incidents)];
    const requestId = text(line['requestId']);
    if (lane.version !== undefined && version !== undefined && lane.version !== version)
      notes.push(`Claude Code was updated from ${lane.version} to ${version} before it.`);
    if (version !== undefined) lane.version = version;
    lane.incidents = [];
    const facts: Omit<Call, 'body'> = {
      id,
      ...(requestId !== undefined && { requestId }),
      provider: PROVIDER,
      wire: WIRE,
      model,
      startedAt,
      known: 'reconstructed',
      source: { file, line: number },
      harness: { name: 'claude-code', ...(version !== undefined && { version }) },
      conversation: { ...conversation, ...(transcript.isCompacted && { isCompacted: true }) },
      ...(session !== undefined && { sessionId: session }),
      ...(agent !== undefined && { agentId: agent }),
      ...(notes.length > 0 && { notes }),
      request: () =>
        draft.whole?.isSound() === true
          ? draft.whole.request()
          : rebuiltRequest(sent, { model, ttl: lane.ttl, head, headTokens: draft.headTokens }),
    };
    const before = lane.last?.facts;
    lane.left = before?.usage && { tokens: leftBy(before.usage), model: before.model };
    if (lane.left !== undefined && lane.left.model !== model) delete lane.headTokens;
    transcript.isCompacted = false;
    const content: Json[] = [];
    const call = callWithBody(facts, () =>
      draft.whole?.isSound() === true ? draft.whole.body() : rebuiltBody(sent, { model, ttl: lane.ttl, head }),
    );
    Object.assign(call, { response: { id, model, content } });
    const draft: Draft = { id, lane, facts, content, sent, ref: text(line['requestRef']) };
    lane.last = draft;
    drafts.set(`${lane.isProgress ? 'copy ' : ''}${id}`, draft);
    return draft;
  };

  const assistant = (lane: Lane, line: JsonObject, message: JsonObject, number: number): void => {
    const id = text(message['id']);
    // What the program itself puts in place of an answer is not a request.
    if (id === undefined || message['model'] === '<synthetic>') return;
    const draft = drafts.get(`${lane.isProgress ? 'copy ' : ''}${id}`) ?? begin(lane, line, message, id, number);
    const usage = usageFromWire(WIRE, message['usage']);
    const at = timeOf(line['timestamp']);
    Object.assign(draft.facts, {
      ...(usage && { usage, rawUsage: message['usage'] }),
      ...(at !== undefined && { endedAt: at }),
    });
    const ttl = usage && ttlOf(usage);
    if (ttl) draft.lane.ttl = ttl;
    if (usage) learnHead(draft, usage);
    const content = list(message['content']);
    draft.content.push(...content);
    lane.transcript.answer(id, content);
  };

  const message = (lane: Lane, line: JsonObject, number: number): void => {
    const inner = line['message'];
    if (!isObject(inner)) return;
    if (line['type'] === 'user') user(lane, line, inner);
    else assistant(lane, line, inner, number);
  };

  const add = (line: JsonObject, number: number): void => {
    switch (line['type']) {
      case 'user':
      case 'assistant': {
        const lane = laneOf(conversationOf(line));
        message(lane, line, number);
        lane.transcript.remember(text(line['uuid']));
        return;
      }
      case 'attachment': {
        const lane = laneOf(conversationOf(line));
        attachment(lane, line);
        lane.transcript.remember(text(line['uuid']));
        return;
      }
      case 'system': {
        const lane = laneOf(conversationOf(line));
        if (line['subtype'] === 'compact_boundary') lane.transcript.compact();
        const incident = line['subtype'] === 'local_command' ? incidentOf(line['content']) : undefined;
        if (incident !== undefined) lane.incidents.push(incident);
        lane.transcript.remember(text(line['uuid']));
        return;
      }
      case 'progress': {
        const data = isObject(line['data']) ? line['data'] : {};
        const session = text(line['sessionId']) ?? file;
        laneOf({ id: session, kind: 'main' }).transcript.remember(text(line['uuid']));
        const told = data['message'];
        const agent = text(data['agentId']) ?? text(line['parentToolUseID']);
        if (data['type'] !== 'agent_progress' || agent === undefined || !isObject(told)) return;
        const copy = laneOf({ id: `${session}/${agent}`, kind: 'sub-agent', parent: session }, true);
        message(copy, { ...told, sessionId: session, agentId: agent, version: line['version'] ?? null }, number);
        return;
      }
      case 'api-request-shape':
      case 'api-request-blob':
      case 'api-request':
        replay.add(line);
        return;
      default:
    }
  };

  /** Requests that the transcript holds whole take the place of what was put together from its lines. */
  const resolve = (): void => {
    if (replay.isEmpty) return;
    replay.said([...lanes.values()].flatMap(({ transcript }) => transcript.said));
    for (const draft of drafts.values()) {
      const whole = draft.ref === undefined ? undefined : replay.whole(draft.ref);
      if (!whole) continue;
      draft.whole = whole;
      // Digests are made when somebody asks how well the body is known, and never for anyone who only lists the calls.
      Object.defineProperty(draft.facts, 'known', {
        get: () => (whole.isSound() ? 'exact' : 'reconstructed'),
        configurable: true,
        enumerable: true,
      });
      Object.assign(draft.facts, {
        ...(whole.startedAt !== undefined && { startedAt: whole.startedAt }),
        ...(whole.betas.length > 0 && { betas: whole.betas }),
      });
    }
  };

  return {
    add,
    end: () => {
      resolve();
      const all = [...drafts.values()];
      const calls = (isCopy: boolean): Call[] =>
        all.filter(({ lane }) => lane.isProgress === isCopy).map(({ facts }) => facts as Call);
      return { calls: calls(false), copies: calls(true) };
    },
  };
};
