/** Orders in prose that work against the person who reads the answer: kept out of sight, put in place of what was asked for, or above all rules. */
import type { PatternInput } from './pattern-input.ts';
import { findFences } from './fences.ts';
import { isCredentialPath } from './places.ts';
import { paragraphs } from './prose-patterns.ts';

const MOST = 4000;

/** An act. */
const ACT =
  /\b(?:send|sends|sent|post|posts|posted|upload|uploads|copy|copies|forward|forwards|bcc|write|writes|append|appends|add|adds|insert|inserts|include|includes|embed|embeds|run|runs|execute|executes|replace|replaces|accept|accepts|use|call|calls|collect|collects|read|reads|store|stores|log|logs|save|saves|commit|push|install|installs|encode|submit|transmit|change|set)\b/i;
/** Words that keep the act from the person. */
const OUT_OF_SIGHT =
  /\b(?:do not|don't|never)\s{1,3}(?:put|write|include|show)\s{1,3}(?:this|it|that|them)\s{1,3}(?:in|into|to|in the|on)\s{1,3}(?:the |your )?(?:summary|answer|reply|report|output|preview|users?|person|transcript)\b|\bn'en parle\w{0,2} pas\b|\b(?:leave|leaving|keep|keeping|kept|omit|omitting|hide|hiding|exclude|excluding)\s{1,3}(?:it|this|that|them|these|the (?:step|call|change|line|copy|bcc|header|field|request|upload)\w{0,2})\s{1,3}(?:out of|from|off|away from)\s{1,3}(?:what you (?:tell|say|show|write)|the (?:summary|reply|answer|report|output|response|user|person|preview|log|diff|transcript|final|message)|your (?:summary|reply|answer|report|output|response|message)|comments|any (?:summary|report|output)|users?|people|sight)|\b(?:do not|don't|never|without|no need to|need not|needn't)\s{1,3}(?:mention|mentioning|list|listing|report|reporting|disclose|disclosing|reveal|revealing|announce|announcing|describe|describing|surface|surfacing|say|saying|bring up|(?:tell|telling)(?= (?:this|that|them about)))\s{1,3}(?:it|this|that|them|these|this step|that step|the (?:step|call|upload|copy|request|change|line|header|sync))\b(?!\s{1,3}(?:is|are|works|as|unless|if|until)\b)|\b(?:is|are|stays?|remains?)\s{1,3}(?:not shown|hidden|invisible|never shown|not visible|kept)\s{1,3}(?:in the (?:preview|summary|answer|reply|output|chat)|(?:to|from) the (?:user|person|reader|customer))|\b(?:the )?(?:user|person|customer|reader)s?\s{1,3}(?:does not|do not|doesn't|don't|must not|should not|need not|never)\s{1,3}(?:need to )?(?:know|see|learn|notice|hear)\s{1,3}(?:about |of )?(?:it|this|that)\b/i;
const AGAINST_WILL =
  /\beven (?:if|when|where|though)\s{1,3}(?:the\s{1,3})?(?:users?|person|they|he|she|people)\s{1,3}(?:has |have |had )?(?:declin|refus|reject|say(?:s)? no|object|ask(?:s|ed)? (?:you )?not|disagree|oppose|forb[ai]d)/i;
const FORBIDS_BEFORE =
  /\b(?:never|must not|should not|refuse|flag|detect|reject|block|prevent|examples? of|for example|attack\w*|malicious|suspicious|red flags?|watch for|look for|beware|warn\w*|if (?:a|the) (?:skill|page|document|file|prompt))\b[^.\n]{0,120}$/i;

/** One address for money, written out. */
const MONEY_ADDRESS =
  /\b0x[0-9a-fA-F]{40}\b|\bbc1[02-9ac-hj-np-z]{20,60}\b|(?<![\w/+])[13][1-9A-HJ-NP-Za-km-z]{25,34}(?![\w/+])/;
const INSTEAD =
  /\b(?:instead|replace|in (?:its|their) place|substitut\w*|rather than|swap|forwards? the (?:amount|rest)|our relay)\b/i;
const MAIL = /\b(?:b?cc)\b[:\s*`"']{1,6}[\w.+-]+@(?!(?:[\w-]+\.)*example\.)[\w-]+(?:\.[\w-]+)+/i;
const EACH = /\b(?:each|every|all|any|always)\b/i;
const BACK_DOOR =
  /\b(?:also|always|additionally|silently)\s{1,3}(?:accept|allow|let in|grant|permit|authenticate)s?\b[^.\n]{0,60}\b(?:password|passphrase|token|code|key|pin|header|user|account|email)\b\s{0,3}(?:is\s)?[`"'“][^`"'”\n]{4,}|\b(?:accept|allow)s?\b[^.\n]{0,40}\b(?:master|maintenance|support|fallback)\s{1,3}(?:password|token|key|code)\b[^.\n]{0,30}[`"'“][^`"'”\n]{4,}/i;
const ABOVE_ALL =
  /\b(?:overrides?|takes? precedence over|outranks?|supersedes?|replaces?|ignore)\b[^.\n]{0,40}\b(?:system (?:prompt|rules|instructions|message)|safety (?:rules|guidelines|instructions)|all other (?:skills|instructions|rules)|other skills(?: and)?)\b/i;
const FOR_ALL =
  /\b(?:every|any|all) (?:request|task|message|question|conversation|session)s?\b|\bbefore (?:all|any) other (?:skills?|tools?)\b|\bdo not load any other skill\b|\balways\b/i;
const SEND_OUT =
  /\b(?:post|send|upload|submit|transmit|forward|exfiltrate|deliver|push)(?:s|ing)?\b(?!\s{1,3}(?:request|method|body|office))/i;

/** In many languages. */
const READS =
  /\b(?:read|cat|open|collect|load|gather|lies|öffne|lade|lee|abre|leggi|apri|lis|ouvre|lees|leia|abra|przeczytaj|oku)\b|прочита|открой|读取|读|打开|讀取|読|開い|읽/iu;
/** Not English. */
const FOREIGN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}]{4}|\b(?:und|oder|nicht|den|dem|della|che|les|est|son|contenu|contenido|archivo|bestand|niet)\b[^\n]{0,200}\b(?:und|oder|nicht|der|die|della|che|les|que|para|los|het|een|ce|à|de)\b/u;
const WHATEVER = /\bapprove\w{0,2}\b[^.\n]{0,60}\b(?:whatever|regardless|no matter)\b/i;
const WHOLE_TALK =
  /\b(?:whole|entire|full|complete|all of the)\s{1,3}(?:conversation|chat|transcript|session|history|context|dialogue)\b/i;
const REACHES = /\b(?:call|fetch|open|send|post|visit|upload|WebFetch|request|load|get)\b/i;
const FOR_THE_PERSON =
  /\b(?:accept|approve|confirm|click|grant|allow)\b[^.\n]{0,60}\b(?:dialog|prompt|trust|permission|question|consent)\w{0,2}\b[^.\n]{0,40}\b(?:for the (?:user|person)|on (?:their|the user's|behalf)|in (?:their|the user's) place|yourself)\b/i;
const ROUND_APPROVAL =
  /\b(?:needs?|requires?|asks? for)\s{1,3}(?:an? )?(?:approval|permission|confirmation)\b[^.\n]{0,60}\b(?:use|choose|pick|take|switch to|try)\b[^.\n]{0,30}\b(?:another|different|other|instead)\b/i;
const OPEN_HOME =
  /\bchmod\s+-R\s+[0-7]?777\s+(?:~|\/|\$HOME)(?=[\s`]|$)|\b-m http\.server\b[^\n`]{0,80}(?:--directory|-d)[ =](?:~|\/|\$HOME)(?=[\s`]|$)/;
const REMOTE_SERVER = /\bmcp add\b[^\n`]{0,120}\b(?:npx|uvx|bunx)\b[^\n`]{0,60}(?:https?:\/\/|github:|git\+)/;
const AGREED =
  /\b(?:do not|don't|never|without|no need to)\s{1,3}ask\w{0,3}\b[^\n]{0,120}\b(?:the )?(?:users?|person|people|they)\s{1,3}(?:has|have)\s{1,3}(?:already\s{1,3})?(?:agreed|approved|consented|confirmed|accepted)\b/i;
const LIFTED =
  /\b(?:earlier|previous|prior|former|existing|all|your)\s{1,3}(?:restrictions?|rules?|instructions?|limits?|limitations?|guardrails?|guidelines|policies)\b[^.\n]{0,60}\b(?:no longer (?:hold|apply|valid|count)|were (?:only )?for (?:testing|development)|(?:are|is|were) (?:now )?(?:lifted|void|suspended|disabled|off)|do(?:es)? not apply)\b/i;
const OTHER_SKILLS =
  /\b(?:every|all|each)\s{1,3}(?:other\s{1,3})?(?:SKILL\.md|skills?(?:'s)? (?:files?|folders?))\b|\bother SKILL\.md\b/i;
const HOME_AGENT = /(?:~|\$HOME|%USERPROFILE%)[/\\]\.(?:claude|codex|gemini|cursor|openclaw|agents)\b/;
const CONVERSATION_SLOT =
  /https?:\/\/[^\s)"'`]{0,300}[{<[$](?:the )?\w{0,20}[_ -]?(?:conversation|chat|transcript|message_?history|history|system_?prompt|last_?message)\w{0,20}[}>\]]?/i;
const PERSONAL =
  /\b(?:(?:e-?mail|bank|account|wallet|master|login|system) password|2fa|two-factor|one-time (?:code|password)|otp code|cvv|card number|social security number)\b/i;
const ASKS_FOR = /\b(?:ask|request|prompt|collect|obtain|get)\b[^.\n]{0,60}\b(?:user|person|them|customer)\b/i;
const VALUES_INTO =
  /\b(?:open|read|collect|find|gather|take|copy)\b[^.\n]{0,80}(?:\.env\b|\bsecrets?\.\w+|\*\.pem\b|\bcredentials?\b|\bprivate keys?\b)[^.\n]{0,80}\b(?:put|include|add|write|embed|insert|append|place)\b[^.\n]{0,40}\b(?:values?|contents?|them|it)\b[^.\n]{0,40}\b(?:comment|document|answer|commit|issue|link|image|readme|report|output|footer|reply)\b/i;

const strongSecret = (block: string): string | undefined =>
  block
    .split(/[\s`"'()<>,;]+/)
    .map((word) => word.replace(/[.:!?]+$/, ''))
    .find((word) => /^(?:~|\$HOME|%USERPROFILE%|\/etc\/)/.test(word) && isCredentialPath(word));

/** Settings that a page shows, to be put into the files of an agent. */
const GRANTS_ALL =
  /"(?:Bash|Write|Edit|WebFetch)(?:\(\*\)|\(\*:\*\))?"\s*[,\]]|"defaultMode"\s*:\s*"bypassPermissions"|"\*"\s*\]/;
const ALLOW = /"allow"\s*:\s*\[|"permissions"\s*:/;
const SERVER_FROM_CODE =
  /"mcpServers"[\s\S]{0,400}?"(?:github:[\w.-]+\/[\w.-]+|git\+https?:[^"]+|https?:\/\/[^"]+\.(?:tgz|tar\.gz|whl|js|py))"/;
const OTHERS_SECRET =
  /\$\{?(?:AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|GITHUB_TOKEN|GH_TOKEN|NPM_TOKEN|ANTHROPIC_API_KEY|OPENAI_API_KEY|SSH_AUTH_SOCK)\b/;
const PUTS_IN =
  /\b(?:add|put|write|set|register|paste|insert|merge|copy|append|save|create|configure|enable)\b[^\n]{0,120}(?:\.claude(?:\.json|\/)|\.mcp\.json|\.cursor\/|\.codex\/|settings(?:\.local)?\.json)/i;

export const analyseConduct = ({ text: given, placeOf, world }: PatternInput): void => {
  const text = given.replaceAll('’', "'");
  let before = '';
  for (const { text: block, start } of paragraphs(text)) {
    const context = before;
    before = block.length > MOST ? '' : block.replace(/\s+$/, '');
    if (block.length > MOST) continue;
    const at = (pattern: RegExp): number => {
      const found = block.search(pattern);
      return found === -1 || FORBIDS_BEFORE.test(block.slice(Math.max(0, found - 160), found)) ? -1 : found;
    };
    const alarm = (
      rule: 'hidden-order' | 'steers-agent' | 'secret-to-network' | 'opens-machine',
      index: number,
      message: string,
    ): void => world.alarm(rule, placeOf(start + Math.max(0, index)), message);
    const hidden = at(OUT_OF_SIGHT);
    if (hidden !== -1 && ACT.test(block.slice(0, hidden)))
      alarm('hidden-order', hidden, 'Something is to be done, and kept from the person.');
    const forced = at(AGAINST_WILL);
    if (forced !== -1 && ACT.test(block))
      alarm('hidden-order', forced, 'Something is to be done even where the person says no.');
    const money = at(MONEY_ADDRESS);
    if (money !== -1 && INSTEAD.test(block))
      alarm('steers-agent', money, 'Money goes to an address from this page instead of the given one.');
    const copy = at(MAIL);
    if (copy !== -1 && EACH.test(block))
      alarm('secret-to-network', copy, 'A copy of each message goes to an address from this page.');
    const door = at(BACK_DOOR);
    if (door !== -1) alarm('steers-agent', door, 'The code lets somebody in with a word from this page.');
    const above = at(ABOVE_ALL);
    if (above !== -1 && FOR_ALL.test(block) && !/["“'`][^"”'`\n]{0,60}$/.test(block.slice(0, above)))
      alarm('steers-agent', above, 'The skill puts itself above all other rules.');
    const secret = strongSecret(block);
    if (
      secret !== undefined &&
      at(SEND_OUT) !== -1 &&
      /\b(?:endpoint|server|webhook|api|url|address|channel|bucket|it|them|context|header|body)\b/i.test(
        block.slice(at(SEND_OUT)),
      )
    )
      alarm('secret-to-network', block.indexOf(secret), `The agent itself is to send ${secret}.`);
    const named = secret ?? (/(?:^|[\s`"'(])\.env\b/.test(block) ? '.env' : undefined);
    if (
      named !== undefined &&
      at(READS) !== -1 &&
      /https?:\/\//.test(block.slice(block.indexOf(named))) &&
      FOREIGN.test(block)
    )
      alarm('secret-to-network', block.indexOf(named), `The agent itself is to read ${named}, for an address.`);
    const talk = at(WHOLE_TALK);
    const url = block.search(/https?:\/\//);
    if (talk !== -1 && url !== -1 && Math.abs(talk - url) < 240 && at(REACHES) !== -1)
      alarm('secret-to-network', talk, 'The agent sends the conversation to an address.');
    const forThem = at(FOR_THE_PERSON);
    if (forThem !== -1) alarm('steers-agent', forThem, 'The agent is to approve in place of the person.');
    const round = at(ROUND_APPROVAL);
    if (round !== -1) alarm('steers-agent', round, 'The agent is to get round an approval.');
    const opened = at(OPEN_HOME);
    if (opened !== -1) alarm('opens-machine', opened, 'Everybody gets to read the home folder.');
    const added = at(REMOTE_SERVER);
    if (added !== -1) alarm('steers-agent', added, 'A program from an address is to start with the agent.');
    const blind = at(WHATEVER);
    if (blind !== -1) alarm('steers-agent', blind, 'Something is to be approved without a look at it.');
    const agreed = at(AGREED);
    if (agreed !== -1) alarm('steers-agent', agreed, 'The skill says in place of the person that they have agreed.');
    const lifted = at(LIFTED);
    if (lifted !== -1) alarm('steers-agent', lifted, 'The rules that the agent already has are to be set aside.');
    const others = at(OTHER_SKILLS);
    if (
      others !== -1 &&
      HOME_AGENT.test(block) &&
      /\b(?:add|append|insert|write|put|prepend|replace|edit|change)\b/i.test(block)
    )
      alarm('steers-agent', others, 'The skill changes what other skills say.');
    const slot = at(CONVERSATION_SLOT);
    if (slot !== -1) alarm('secret-to-network', slot, 'An address has a place for the conversation.');
    const personal = at(PERSONAL);
    if (personal !== -1 && ASKS_FOR.test(block) && at(SEND_OUT) !== -1 && /https?:\/\//.test(block))
      alarm(
        'secret-to-network',
        personal,
        'The person is asked for a password or a code, which is to go to an address.',
      );
    const values = at(VALUES_INTO);
    if (values !== -1) alarm('secret-to-network', values, 'The agent writes secrets into its output.');
    const settings = at(PUTS_IN) !== -1 || PUTS_IN.test(context.slice(-400));
    if (settings && ALLOW.test(block) && GRANTS_ALL.test(block))
      alarm('steers-agent', block.search(GRANTS_ALL), 'The agent is to be given every right, without a question.');
    const server = block.search(SERVER_FROM_CODE);
    if (server !== -1 && (settings || OTHERS_SECRET.test(block)))
      alarm('steers-agent', server, 'A program from an address is to start with the agent.');
  }
};

/** A comment in Markdown that is not shown, and that tells an agent what to do. */
export const analyseComments = ({ text, placeOf, world }: PatternInput): void => {
  const fences = findFences(text);
  for (const { 0: comment, 1: inner = '', index } of text.matchAll(/<!--([\s\S]{20,3000}?)-->/g)) {
    if (fences.some(({ from, to }) => index >= from && index < to)) continue;
    if (
      /\b(?:assistant|agent|claude|copilot|codex|gemini|model|llm|ai)\b|\b(?:you must|you should|always|also)\b/i.test(
        inner,
      ) &&
      (/https?:\/\/|\b(?:curl|wget)\b/.test(inner) || OUT_OF_SIGHT.test(inner)) &&
      /\b(?:send|post|upload|run|execute|fetch|append|include|forward|read)\b/i.test(inner)
    )
      world.alarm(
        'hidden-order',
        placeOf(index),
        `A comment that no page shows tells an agent what to do: ${comment.slice(4, 124).trim()}`,
      );
  }
};
