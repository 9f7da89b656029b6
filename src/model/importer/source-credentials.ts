/** Credentials that the code reads and SKILL.md does not declare: variables and files, under names that a person understands. */
import { isCredentialPath } from '../scan/places.ts';
import type { Capability } from '../scan/types.ts';
import { bindingOf } from './read-source.ts';
import type { CredentialField, CredentialNeed, ReadSource } from './types.ts';

const SECRET = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PAT|CREDENTIALS?|AUTH|BEARER|WEBHOOK(?:_URL)?)$/;
/** What goes with a secret of the same service. */
const COMPANION =
  /_(?:URL|BASE_URL|HOST|SITE|EMAIL|USER|USERNAME|ACCOUNT|ACCOUNT_ID|DOMAIN|ORG|ORGANIZATION|WORKSPACE|CLIENT_ID|APP_ID)$/;
const SECRET_FILE =
  /(?:^|[/\\])[\w.-]*(?:token|credential|secret|service[-_]?account|api[-_]?key)[\w.-]*\.(?:json|txt|pem|ya?ml|key)$/i;

const BRANDS: Readonly<Record<string, string>> = {
  github: 'GitHub',
  gh: 'GitHub',
  gitlab: 'GitLab',
  openai: 'OpenAI',
  aws: 'AWS',
  gcp: 'Google Cloud',
  hf: 'Hugging Face',
  huggingface: 'Hugging Face',
  youtube: 'YouTube',
  linkedin: 'LinkedIn',
  paypal: 'PayPal',
  sendgrid: 'SendGrid',
  wordpress: 'WordPress',
  api: 'API',
  id: 'ID',
  pat: 'personal access token',
  url: 'address',
  auth: 'authorization',
  org: 'organization',
  smtp: 'SMTP',
  imap: 'IMAP',
  db: 'database',
};
const PLAIN = new Set([
  'key',
  'token',
  'secret',
  'password',
  'access',
  'base',
  'host',
  'site',
  'email',
  'user',
  'username',
  'account',
  'domain',
  'workspace',
  'client',
  'app',
  'bot',
  'webhook',
  'bearer',
  'credentials',
  'credential',
]);

/** `OPENAI_API_KEY` → OpenAI API key. */
export const humanName = (variable: string): string =>
  variable
    .toLowerCase()
    .split('_')
    .filter((word) => word !== '')
    .map((word) =>
      Object.hasOwn(BRANDS, word)
        ? BRANDS[word]
        : PLAIN.has(word)
          ? word
          : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join(' ');

const kindOf = (name: string): CredentialField['kind'] =>
  name.endsWith('KEY') ? 'api_key' : SECRET.test(name) ? 'token' : 'text';

const fileName = (path: string): string => path.replace(/^.*[/\\]/, '');

/** Whether the code works without it. */
const hasDefault = (name: string, code: string): boolean =>
  new RegExp(String.raw`(?:environ\.get|getenv)\(\s*["']${name}["']\s*,\s*(?!None\b|["']{2})`).test(code);

/** What is found in files that a script can reach. */
const found = (capabilities: readonly Capability[], code: string): readonly CredentialField[] => {
  const variables = capabilities
    .filter(({ kind, detail }) => kind === 'environment' && /^[A-Z][A-Z0-9_]{2,}$/.test(detail))
    .map(({ detail }) => detail)
    .filter((name) => !hasDefault(name, code));
  const secrets = variables.filter((name) => SECRET.test(name));
  const services = new Set(secrets.map((name) => name.split('_')[0]));
  const companions = variables.filter(
    (name) => COMPANION.test(name) && services.has(name.split('_')[0]) && !SECRET.test(name),
  );
  const files = capabilities
    .filter(({ kind, detail }) => kind === 'files' && /^(?:reads|opens) /.test(detail))
    .map(({ detail }) => detail.replace(/^\w+ /, ''))
    .filter(
      (path) =>
        !path.includes('…') &&
        (SECRET_FILE.test(path) || (isCredentialPath(path) && /\.\w+$|netrc$|credentials$/.test(path))),
    );
  return [
    ...[...new Set([...secrets, ...companions])].map((name) => ({ name, kind: kindOf(name), prompt: humanName(name) })),
    ...[...new Set(files)].map((name) => ({ name, kind: 'file' as const, prompt: `The file ${fileName(name)}` })),
  ];
};

/** What the skill declares, and what its code needs besides. */
export const credentialsOf = (
  { name, credentials }: Pick<ReadSource, 'name' | 'credentials'>,
  capabilities: readonly Capability[],
  code: string,
): readonly CredentialNeed[] => {
  const declared = new Set(credentials.flatMap(({ fields }) => fields.map((field) => field.name)));
  const declaredFiles = new Set([...declared].map(fileName));
  const more = found(capabilities, code).filter(
    (field) => !declared.has(field.name) && !(field.kind === 'file' && declaredFiles.has(fileName(field.name))),
  );
  if (more.length === 0) return credentials;
  const [first, ...others] = credentials;
  return first
    ? [{ ...first, fields: [...first.fields, ...more] }, ...others]
    : [{ binding: bindingOf(name), fields: more }];
};
