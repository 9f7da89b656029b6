/** Names of fields and headers whose value is private, whatever it looks like. */
import type { MaskKind } from './stand-in.ts';

const NAMES: Readonly<Record<'account' | 'device' | 'key' | 'token', string>> = {
  account:
    'account_uuid account_id organization_uuid organization_id org_id org_uuid chatgpt_account_id anthropic_organization_id openai_organization user_id user_uuid end_user safety_identifier requester_ip_address openai_project user username logname login',
  device: 'device_id installation_id machine_id anonymous_id stable_id',
  key: 'api_key x_api_key x_goog_api_key secret_key access_key_id secret_access_key private_key private_key_id client_key_data account_key shared_access_key subscription_key credential credentials',
  token:
    'authorization proxy_authorization token access_token refresh_token id_token auth_token authorization_token bearer_token session_token client_secret secret password passwd cookie set_cookie csrf_token x_amz_security_token auth _auth session_key',
};

const plain = (name: string): string => name.replace(/[-_\s]/g, '').toLowerCase();

const KINDS: ReadonlyMap<string, MaskKind> = new Map(
  (Object.entries(NAMES) as [MaskKind, string][]).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [plain(name), kind] as const),
  ),
);

/** `x-codex-installation-id`: the words of a name from the second on, from the third on, and so on, while there are two. */
const endings = (name: string): readonly string[] => {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .split(/[-_\s]+/)
    .filter((word) => word !== '');
  return words.slice(1, -1).map((_, index) => words.slice(index + 1).join('_'));
};

/** `x-api-key`, `apiKey` and `API_KEY` are one name; `ANTHROPIC_API_KEY` and `aws_secret_access_key` end in one. */
export const kindOfField = (name: string): MaskKind | undefined => {
  if (name.length > 60) return undefined;
  const known = KINDS.get(plain(name));
  if (known !== undefined) return known;
  for (const ending of endings(name)) {
    const kind = KINDS.get(plain(ending));
    if (kind !== undefined) return kind;
  }
  if (!/^[A-Z][A-Z0-9_]*_/.test(name)) return undefined;
  return /_(?:API_?KEY|SECRET_KEY|PRIVATE_KEY|ACCESS_KEY)$/.test(name)
    ? 'key'
    : /_(?:TOKEN|SECRET|PASSWORD|PASSWD)$/.test(name)
      ? 'token'
      : undefined;
};

/** In text: a name, and its colon or equals sign with quotes that may be escaped. */
export const FIELD_IN_TEXT =
  /(?<![A-Za-z0-9_-])([A-Za-z_][A-Za-z0-9_-]{1,59})\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?(?:(?:Bearer|Basic)[ \t]{1,4})?/gi;
/** What is there. */
export const VALUE_IN_TEXT = /[^\s"'\\,;&<>(){}[\]]{8,}/y;

/** Words, numbers of tokens and names of variables are not secrets; what is one mixes kinds of characters. */
export const looksSecret = (value: string): boolean =>
  value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/\s/.test(value);
