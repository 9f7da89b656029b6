/** What a request of Claude Code says of its session, anyone who recorded it. */
import { isObject, type Json, type JsonObject, parseJson } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import type { Call } from '../call.ts';

const text = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Versions from 2.1 on write JSON into `metadata.user_id`, older ones a string that ends with the session. */
export const claudeSession = (body: JsonObject): string | undefined => {
  const user = isObject(body['metadata']) ? text(body['metadata']['user_id']) : undefined;
  if (user === undefined) return undefined;
  const parsed = valueOr(parseJson(user), undefined);
  if (isObject(parsed)) return text(parsed['session_id']);
  return /_session_([\w-]+)$/.exec(user)?.[1];
};

/** Session and sub-agent, from the headers if they were recorded, else from the body. */
export const claudeConversation = (
  body: JsonObject,
  header: (name: string) => string | undefined = () => undefined,
): Pick<Call, 'sessionId' | 'conversation'> => {
  const session = header('x-claude-code-session-id') ?? claudeSession(body);
  const agent = header('x-claude-code-agent-id');
  return {
    ...(session !== undefined && { sessionId: session }),
    ...(agent !== undefined && { conversation: { id: agent, kind: 'sub-agent' } }),
  };
};
