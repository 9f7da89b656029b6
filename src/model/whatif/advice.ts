/** A what-if ends in something to paste: a setting, a variable, or the line to change, for the harness that was recognized (WIF18). */
import { harnessOf } from '../traffic/harness.ts';
import type { Prepared } from './prepare.ts';
import type { Placement, Policy } from './types.ts';

export interface Advice {
  /** Where it goes. */
  readonly about: string;
  /** What to paste; absent where there is nothing to set. */
  readonly paste?: string;
}

/** `lathe` for our own sessions, whose settings a button can change; nothing where nobody was recognized. */
export const harnessIn = ({ calls }: Pick<Prepared, 'calls'>): string | undefined => {
  const names = new Map<string, number>();
  for (const { call, step } of calls) {
    const name = call.own ? 'lathe' : (call.harness?.name ?? (step && harnessOf(step.request)?.name));
    if (name !== undefined) names.set(name, (names.get(name) ?? 0) + 1);
  }
  return [...names].toSorted((a, b) => b[1] - a[1])[0]?.[0];
};

const CLAUDE_SETTINGS =
  'Add it to `env` in `~/.claude/settings.json`, or set it in the shell before you start Claude Code.';
const env = (name: string, value: string): string => `"env": { "${name}": "${value}" }`;

const NOT_YOURS = (harness: string): Advice => ({
  about: `${harness} sets its own breakpoints. No setting changes them, so ask for it there.`,
});

const claudeCode = (policy: Policy): readonly Advice[] => [
  ...(policy.ttl === '1h'
    ? [{ about: `One-hour TTL. ${CLAUDE_SETTINGS}`, paste: env('ENABLE_PROMPT_CACHING_1H', '1') }]
    : []),
  ...(policy.ttl === '5m'
    ? [{ about: `Five-minute TTL. ${CLAUDE_SETTINGS}`, paste: env('FORCE_PROMPT_CACHING_5M', '1') }]
    : []),
  ...(typeof policy.ttl === 'object'
    ? [{ about: 'Claude Code has one TTL for the whole request, so a TTL per breakpoint can’t be set.' }]
    : []),
  ...(policy.breakpoints === 'off'
    ? [{ about: `No caching. ${CLAUDE_SETTINGS}`, paste: env('DISABLE_PROMPT_CACHING', '1') }]
    : []),
  ...(policy.breakpoints !== undefined && policy.breakpoints !== 'off' ? [NOT_YOURS('Claude Code')] : []),
  ...(policy.model === undefined
    ? []
    : [{ about: `Another model. ${CLAUDE_SETTINGS}`, paste: env('ANTHROPIC_MODEL', policy.model) }]),
  ...(policy.tools === undefined
    ? []
    : [
        {
          about:
            'Connect tool servers before the first message: keep them in `.mcp.json`, and don’t add one during a session.',
        },
      ]),
  ...(policy.move === undefined
    ? []
    : [
        {
          about:
            'Move the changing line out of CLAUDE.md, the output style, or `--append-system-prompt`, into a hook that adds it to your message.',
          paste: 'echo "$(date)"',
        },
      ]),
  ...(policy.subAgents === 'apart'
    ? [
        {
          about: 'Ask for one sub-agent first and for the others once it has answered. Add this line to CLAUDE.md.',
          paste: 'Start one sub-agent first. Start the others after it has begun to answer.',
        },
      ]
    : []),
];

const codex = (policy: Policy): readonly Advice[] => [
  ...(policy.model === undefined
    ? []
    : [
        { about: 'Another model. Add it to `~/.codex/config.toml`.', paste: `model = ${JSON.stringify(policy.model)}` },
      ]),
  ...(policy.ttl !== undefined || policy.breakpoints !== undefined ? [NOT_YOURS('Codex')] : []),
  ...(policy.tools === undefined
    ? []
    : [{ about: 'Keep the same `mcp_servers` in `~/.codex/config.toml` for the whole session.' }]),
];

const marker = (ttl: string | undefined): string =>
  JSON.stringify({ cache_control: { type: 'ephemeral', ...(ttl === '1h' && { ttl }) } }).slice(1, -1);

const PLACES: Readonly<Record<string, string>> = {
  tools: 'the last tool',
  system: 'the last system block that never changes',
  last: 'the last content block of the last message',
};

const placeText = (at: Placement['at']): string => {
  const back = /^last-(\d+)$/.exec(at)?.[1];
  return back === undefined ? (PLACES[at] ?? `\`${at}\``) : `the block ${back} blocks before the last one`;
};

const MODES = {
  static: [{ at: 'tools' }, { at: 'system' }],
  rolling: [{ at: 'tools' }, { at: 'system' }, { at: 'last' }],
} as const;

/** An agent of one's own: lines of its request. */
const ownCode = (policy: Policy): readonly Advice[] => {
  const ttl = typeof policy.ttl === 'string' ? policy.ttl : undefined;
  const { breakpoints } = policy;
  const places: readonly Placement[] =
    breakpoints === 'static' || breakpoints === 'rolling'
      ? MODES[breakpoints]
      : Array.isArray(breakpoints)
        ? breakpoints
        : [];
  return [
    ...places.map((place: Placement) => ({ about: `Add to ${placeText(place.at)}.`, paste: marker(place.ttl ?? ttl) })),
    ...(breakpoints === 'automatic' ? [{ about: 'Add to the top level of the request.', paste: marker(ttl) }] : []),
    ...(breakpoints === 'off' ? [{ about: 'Remove every `cache_control` from the request.' }] : []),
    ...(breakpoints === undefined && ttl !== undefined
      ? [{ about: 'Replace every `cache_control` of the request.', paste: marker(ttl) }]
      : []),
    ...(typeof policy.ttl === 'object'
      ? Object.entries(policy.ttl).map(([tier, one]) => ({
          about: `Replace \`cache_control\` in ${tier}.`,
          paste: marker(one),
        }))
      : []),
    ...(policy.model === undefined
      ? []
      : [{ about: 'Change the model of the request.', paste: `"model": ${JSON.stringify(policy.model)}` }]),
    ...(policy.tools === 'sorted'
      ? [
          {
            about: 'Sort the tools by name before you send them.',
            paste: 'tools.sort((a, b) => (a.name < b.name ? -1 : 1))',
          },
        ]
      : []),
    ...(policy.tools === 'frozen'
      ? [{ about: 'Build the list of tools once per session, and send the same list with every request.' }]
      : []),
    ...(policy.move ?? []).map((label) => ({
      about: `Move the changing line of \`${label}\` to the end of the newest user message, and leave it there.`,
    })),
    ...(policy.padding && 'tokens' in policy.padding
      ? [
          {
            about: `Add text that never changes after the stable system prompt, up to ${policy.padding.tokens} tokens.`,
          },
        ]
      : []),
    ...(policy.subAgents === 'apart'
      ? [{ about: 'Start the second sub-agent after the first byte of the first one’s answer.' }]
      : []),
    ...(policy.subAgents === 'together' ? [{ about: 'Start all sub-agents at the same time.' }] : []),
  ];
};

/** For a harness by its name; for none that is known, lines of a request. */
export const adviceOf = (harness: string | undefined, policy: Policy): readonly Advice[] => {
  switch (harness) {
    case 'claude-code':
      return claudeCode(policy);
    case 'codex':
      return codex(policy);
    default:
      return ownCode(policy);
  }
};

export const adviceFor = (prepared: Prepared, policy: Policy): readonly Advice[] =>
  adviceOf(harnessIn(prepared), policy);
