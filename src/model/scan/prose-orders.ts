/** Orders to an agent in prose, in the languages that skills are written in: to send what is secret, to hide it, to clone and run. */
import { takeCodePoints } from '../../base/text.ts';
import type { PatternInput } from './pattern-input.ts';
import { hostOf, isCredentialPath } from './places.ts';
import { paragraphs, type Paragraph } from './prose-patterns.ts';

/** Of one paragraph; longer ones are not an order. */
const MOST = 4000;

/** Letters of other scripts that look like Latin ones. */
const LOOK_ALIKE: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['а', 'a'],
    ['в', 'b'],
    ['с', 'c'],
    ['ԁ', 'd'],
    ['е', 'e'],
    ['ё', 'e'],
    ['һ', 'h'],
    ['і', 'i'],
    ['ї', 'i'],
    ['ј', 'j'],
    ['к', 'k'],
    ['ӏ', 'l'],
    ['м', 'm'],
    ['н', 'h'],
    ['о', 'o'],
    ['р', 'p'],
    ['ԛ', 'q'],
    ['ѕ', 's'],
    ['т', 't'],
    ['у', 'y'],
    ['ѵ', 'v'],
    ['ԝ', 'w'],
    ['х', 'x'],
    ['ο', 'o'],
    ['α', 'a'],
    ['ε', 'e'],
    ['ι', 'i'],
    ['κ', 'k'],
    ['ν', 'v'],
    ['ρ', 'p'],
    ['τ', 't'],
    ['υ', 'u'],
    ['χ', 'x'],
    ['օ', 'o'],
    ['ѐ', 'e'],
  ].flatMap(([from = '', to = '']) => [
    [from, to],
    [from.toUpperCase(), to.toUpperCase()],
  ]),
);

const folded = (text: string): string =>
  text.replace(/[\u0370-\u03FF\u0400-\u052F\u0555\u0585]/g, (char) => LOOK_ALIKE[char] ?? char);

const MIXED = /(?<![\p{L}\d])(?=\p{L}*[a-zA-Z])(?=\p{L}*[\u0370-\u03FF\u0400-\u052F\u0555\u0585])\p{L}{3,}/gu;
const MOST_MIXED = 2;

/** Two words of a line that are Latin only to the eye. One may be a formula. */
const lookAlikes = ({ text, placeOf, world }: PatternInput): void => {
  let offset = 0;
  for (const line of text.split('\n')) {
    const words = [...line.slice(0, MOST).matchAll(MIXED)].filter(({ 0: word }) => /^[A-Za-z]+$/.test(folded(word)));
    const [first] = words;
    if (first && words.length >= MOST_MIXED)
      world.alarm(
        'look-alike-letters',
        placeOf(offset + first.index),
        `Letters from another script look like Latin letters: ${words
          .slice(0, 3)
          .map(({ 0: word }) => folded(word))
          .join(', ')}.`,
        { decoded: folded(line) },
      );
    offset += line.length + 1;
  }
};

const SEND =
  /\b(?:send|sends|sending|post|posts|upload|uploads|transmit|transmits|submit|submits|forward|exfiltrate|email|e-mail|beam|relay|ship|leak|sende|sendet|senden|schicke|schickt|schicken|übermittle|übermitteln|übertrage|hochladen|invia|inviare|inviali|inviala|manda|mandare|spedisci|carica|caricare|trasmetti|trasmettere|envía|envia|enviar|envíalo|manda|mandar|sube|subir|transmite|envoie|envoyez|envoyer|transmets|transmettre|poste|téléverse|envie|mande|transmita|carregue|stuur|verstuur|wyślij|prześlij|gönder)(?![\p{L}\d])|发送|传送|上传|提交到|发到|發送|上傳|送信|アップロード|投稿|전송|보내|업로드|отправь|отправьте|отправить|загрузи|перешли|пошли|надішли/iu;
/** Words that put something into an address. */
const PLACE_IN = /\b(?:add|append|put|include|attach|embed|encode|insert|pass)\b/i;
const SLOT =
  /https?:\/\/[^\s)"'`]{0,300}[?&/=](?:<[^<>\n]{1,40}>|\{\{?[^{}\n]{1,40}\}\}?|\$\w{1,40}|[A-Z][A-Z_]{3,40}|(?<==)(?=[\s.`)"'<…]|$))/;
const HIDE =
  /\b(?:do not|don't|never|must not|should not|without)\s{1,3}(?:\w+\s{1,3}){0,3}?(?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|notify|notifying|alert|alerting|notice|noticing|disclose|disclosing|show|report|reporting)\b|\bkeep\s{1,3}(?:this|it|that)\s{1,3}(?:to\s{1,3}yourself|secret|quiet|private)\b|\bkeep\s{1,3}quiet\b|\b(?:silently|secretly|quietly|covertly|behind the scenes)\b|\berwähne\b[^.\n]{0,60}\bnicht\b|\bnicht\s{1,3}erwähn|\bohne\b[^.\n]{0,40}\b(?:zu sagen|mitzuteilen|zu erwähnen)|\bsag\w{0,3}\b[^.\n]{0,40}\bnicht|\bverrat\w{0,3}\b[^.\n]{0,40}\bnicht|\bnon\s{1,3}(?:dir|dire|menzionar|rivelar|informar|far)\w{0,6}|\bsenza\s{1,3}(?:dir|avvisar|informar|menzionar)\w{0,4}|\bno\s{1,3}(?:se\s{1,3})?(?:lo\s{1,3}|le\s{1,3})?(?:digas|menciones|informes|reveles|avises)|\bsin\s{1,3}(?:decir|avisar|informar|mencionar)|\bne\s{1,3}(?:le\s{1,3}|lui\s{1,3})?(?:dis|dites|mentionne\w{0,2}|révèle\w{0,2}|parle\w{0,2})|\bsans\s{1,3}(?:dire|prévenir|mentionner|informer)|\bnão\s{1,3}(?:conte|mencione|diga|informe|revele)|\bsem\s{1,3}(?:dizer|avisar|mencionar|informar)|不要告诉|不要提|别告诉|不得告知|不要讓|不要让用户|言わない|伝えない|知らせない|말하지|알리지|не\s{1,3}(?:говори|сообщай|упоминай|рассказывай)/iu;
const FORBIDS =
  /\b(?:never|do not|don't|must not|should not|avoid|refuse|cannot|can't|won't|forbid\w*|prohibit\w*|flag|detect|warn\w*|reject|block|prevent|example of|attack\w*|malicious|attempt\w*|red flags?|mai|niemals|keinesfalls|nunca|jamais)\b[^.\n]{0,80}$/i;
const URL = /https?:\/\/[^\s)\]>"'`|]+/gi;
const AGENT_FILE =
  /(?:~|\$HOME|%USERPROFILE%)[/\\](?:\.claude|\.codex|\.gemini|\.cursor|\.config)[/\\][\w./\\-]{0,60}|(?:CLAUDE|AGENTS|GEMINI|SOUL|MEMORY)\.md|\.claude\/settings(?:\.local)?\.json|\.mcp\.json|\.cursor\/(?:mcp|hooks)\.json/;
const WRITES = /\b(?:append|add|write|insert|save|put|prepend|store)\b/i;
const SEED =
  /\b(?:(?:seed|recovery|mnemonic|backup)\s{1,3}(?:phrase|words?)|(?:12|24|twelve|twenty-four)\s{1,3}words\b|wallet'?s?\s{1,3}private\s{1,3}key)/i;
const ASKS = /\b(?:ask|request|prompt|have|get|collect|obtain|require)\b/i;

/** Words of a paragraph that are paths to what is secret. */
const secretIn = (block: string): string | undefined =>
  block
    .split(/[\s`"'()<>,;]+/)
    .find(
      (word) =>
        !/^https?:/.test(word) &&
        !word.startsWith('//') &&
        /^[~$%.]|[/\\]\./.test(word) &&
        isCredentialPath(word.replace(/(?<![.:!?])[.:!?]+$/, '')),
    )
    ?.replace(/(?<![.:!?])[.:!?]+$/, '');

/** The verb, unless what is in front of it forbids or looks for it. */
const orderAt = (block: string, verb: RegExp): number => {
  const at = block.search(verb);
  return at === -1 || FORBIDS.test(block.slice(Math.max(0, at - 120), at)) ? -1 : at;
};

/** Puts the agent's own questions out of the way. */
const NO_QUESTIONS =
  /\bbypassPermissions\b|--dangerously-skip-permissions|--yolo\b|\b(?:always|automatically|auto-?)[ -]?(?:allow|approve|accept)\b|\bauto-?approv\w*/i;
const SETS = /\b(?:set|add|enable|turn on|switch on|change|put|write|edit|configure|update)\b/i;
const PERSUADES =
  /\b(?:tell|assure|convince|instruct|advise|remind)\s{1,3}(?:them|the user|users|him|her|the person)\b[^.\n]{0,120}\b(?:always allow|approve|accept|routine|harmless|say yes|click (?:yes|allow))\b/i;
const SETTINGS =
  /(?:~|\$HOME|%USERPROFILE%)?[/\\]?\.(?:claude|codex|gemini|cursor)[/\\][\w./-]{1,60}|\bsettings\.json\b/;
const OVERRIDES =
  /\b(?:ignore|disregard|forget|override|dismiss)\b[^.\n|"“]{0,40}\b(?:previous|prior|above|earlier|system|other|your|developer)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules?|guidelines|policy|policies)\b/i;
const UNBOUND =
  /\b(?:full|unrestricted|complete|unlimited) (?:permission|access|authority|rights)\b|\bwithout (?:asking|confirmation|approval|restrictions?)\b|\bno (?:restrictions?|limits?|limitations?)\b|\bany command\b|\bdeveloper mode\b|\boutdated\b|\bno longer (?:apply|valid|in force)\b/i;
const FOLLOWS =
  /\b(?:follow|obey|execute|carry out|act on|do)\b[^.\n]{0,40}\b(?:instructions?|directions|steps|orders|commands|whatever it says|what it says|what is in it)\b/i;
const GETS = /\b(?:fetch|download|read|load|retrieve|get|pull|curl|open|visit|check)\b/i;
const REMOTE_PACKAGE = /\b(?:npx|uvx|bunx|pipx)\b["',\s\w:[\]-]{0,60}https?:/;
const AROUND =
  /\b(?:refused|denied|rejected)\b|\b(?:user|person)\b[^.\n]{0,20}\bnot\s{1,3}(?:be\s{1,3})?(?:disturbed|asked|bothered|interrupted)\b/i;
const ENVIRONMENT =
  /`(?:env|printenv)`|\ball (?:of the )?environment variables\b|\bthe (?:whole |entire )?environment\b/i;
const COPIES =
  /\b(?:visit|open|go to|browse to|head to|see)\b[^\n]{0,40}https?:\/\/\S{3,300}[^.\n]{0,80}\bcopy\b[^.\n]{0,60}\b(?:command|script|snippet|line|code)\b[^\n]{0,80}\b(?:run|paste|execute|terminal|shell)\b/i;

/** Orders that undo what the person or the host has set, or that take the next orders from an address. */
const againstRules = ({ placeOf, world }: PatternInput, block: string, start: number): void => {
  const alarm = (
    rule: 'steers-agent' | 'download-and-run' | 'drop-host' | 'secret-to-network',
    at: number,
    message: string,
  ): void => world.alarm(rule, placeOf(start + Math.max(0, at)), message);
  if (
    orderAt(block, OVERRIDES) !== -1 &&
    UNBOUND.test(block) &&
    !/["“'`][^"”'`\n]{0,60}$/.test(block.slice(0, block.search(OVERRIDES)))
  )
    return alarm('steers-agent', block.search(OVERRIDES), 'Tells the agent to ignore its existing rules.');
  if (orderAt(block, PERSUADES) !== -1)
    return alarm('steers-agent', block.search(PERSUADES), 'Tells the agent to talk the user into approving something.');
  const quiet = orderAt(block, NO_QUESTIONS);
  if (quiet !== -1 && SETTINGS.test(block) && orderAt(block, SETS) !== -1 && /~|\$HOME|%USERPROFILE%/.test(block))
    return alarm('steers-agent', quiet, 'Tells the agent to turn off its own approval prompts in every project.');
  const file = block.search(AGENT_FILE);
  if (
    file !== -1 &&
    orderAt(block, WRITES) !== -1 &&
    SEND.test(block) &&
    /https?:\/\//.test(block) &&
    /\b(?:every|each|always|all)\b/i.test(block)
  )
    return alarm('steers-agent', file, 'Changes a file that steers the agent so that it sends data from now on.');
  if (file !== -1 && /^[~$%]/.test(block.slice(file)) && orderAt(block, WRITES) !== -1 && REMOTE_PACKAGE.test(block))
    return alarm('steers-agent', file, 'Makes a program from a URL start with the agent in every project.');
  if (quiet !== -1 && AROUND.test(block) && /\b(?:run|start|use|call|retry|repeat)\b/i.test(block))
    return alarm('steers-agent', quiet, 'Tells the agent to do without asking what you refused.');
  if (
    ENVIRONMENT.test(block) &&
    orderAt(block, PLACE_IN) !== -1 &&
    /https?:\/\/[^\s]{0,300}\?[^\s]{0,100}=/.test(block) &&
    SLOT.test(block)
  )
    return alarm(
      'secret-to-network',
      block.search(ENVIRONMENT),
      'Tells the agent to put all environment variables into a URL.',
    );
  const copied = orderAt(block, COPIES);
  if (copied !== -1) return alarm('drop-host', copied, 'Asks someone to copy a command from a URL and run it.');
  const url = /https?:\/\/[^\s)\]>"'`|]+/.exec(block);
  if (url) {
    const before = block.slice(Math.max(0, url.index - 80), url.index);
    const behind = block.slice(url.index + url[0].length, url.index + url[0].length + 160);
    if (
      GETS.test(before) &&
      !FORBIDS.test(before) &&
      FOLLOWS.test(behind) &&
      /\b(?:each|every|start|first|before|always|instead)\b/i.test(block)
    )
      return alarm(
        'download-and-run',
        url.index,
        `Tells the agent to follow whatever ${hostOf(url[0]) ?? 'a URL'} says at that time.`,
      );
  }
};

/** How far an adverb stands from what it goes with. */
const NEAR_VERB = 160;

/** “Silently” goes with the verb beside it; “do not tell” with everything that was said. */
const isToBeHidden = (block: string, verb: number): boolean => {
  for (const { 0: words, index } of block.matchAll(new RegExp(HIDE, 'giu')))
    if (!/ly$|scenes$/i.test(words) || verb === -1 || Math.abs(index - verb) < NEAR_VERB) return true;
  return false;
};

const orders = ({ placeOf, world }: PatternInput, block: string, start: number): void => {
  const urls = [...block.matchAll(URL)].map(({ 0: url }) => url);
  const [url] = urls;
  const host = hostOf(url ?? '') ?? 'a URL';
  const secret = secretIn(block);
  const sends = orderAt(block, SEND);
  const isHidden = isToBeHidden(block, sends);
  const at = (index: number) => placeOf(start + Math.max(0, index));
  const isPlaced = SLOT.test(block) && orderAt(block, PLACE_IN) !== -1;
  const isForbidden = FORBIDS.test(block.slice(0, secret === undefined ? 0 : block.indexOf(secret)));
  if (secret !== undefined && url !== undefined && (sends !== -1 || isPlaced || (isHidden && !isForbidden))) {
    world.alarm('secret-to-network', at(sends), `Tells the agent to send ${takeCodePoints(secret, 60)} to ${host}.`);
    return;
  }
  const seed = SEED.exec(block);
  if (seed && orderAt(block, ASKS) !== -1 && orderAt(block, SEED) !== -1 && (sends !== -1 || url !== undefined)) {
    world.alarm('secret-to-network', at(seed.index), 'Asks for a wallet’s seed phrase and sends it away.');
    return;
  }
  if (!isHidden) return;
  if (sends !== -1 && (url !== undefined || secret !== undefined))
    world.alarm(
      'hidden-order',
      at(sends),
      `Sends data${url === undefined ? '' : ` to ${host}`} and hides it from the user.`,
    );
  else if (AGENT_FILE.test(block) && orderAt(block, WRITES) !== -1)
    world.alarm(
      'hidden-order',
      at(block.search(AGENT_FILE)),
      'Changes a file that steers the agent and hides it from the user.',
    );
};

const CLONE = /\bclon(?:e|ed|ing|a|are|ar|er|en)\b|\bgit clone\b|\bgit-clone\b/iu;
const RUN_SCRIPT =
  /\b(?:run|execute|start|launch|call|source|invoke|esegui|avvia|führe|starte|ejecuta|exécute\w*)\b[^.\n]{0,60}[`"']?(?:\.\/)?[\w./-]{0,60}(?:\b(?:install|setup|bootstrap|init|run|main|start|configure|entry|agent|helper)\w{0,20}(?:\.(?:sh|py|js|ts|mjs|rb|pl|ps1|bat|command))?|\.(?:sh|py|js|mjs|ps1|bat|command))\b/iu;

/** A repository that a person or an agent is to clone, and a script of it to run. */
const clones = ({ placeOf, world }: PatternInput, block: string, start: number): void => {
  const clone = orderAt(block, CLONE);
  if (clone === -1) return;
  const rest = block.slice(clone, clone + 400);
  const url = /https?:\/\/[^\s)\]>"'`|]+|git@[\w.-]+:[\w./-]+/.exec(rest);
  if (!url) return;
  const behind = rest.slice(url.index + url[0].length);
  if (RUN_SCRIPT.test(behind.slice(0, 200)) && !FORBIDS.test(behind.slice(0, behind.search(RUN_SCRIPT))))
    world.alarm(
      'download-and-run',
      placeOf(start + clone),
      `Clones a repository from ${hostOf(url[0]) ?? 'a URL'} and runs a script from it.`,
    );
};

/** Tags of YAML that call something when the file is read. */
const YAML_CALL =
  /!!python\/object\/(?:apply|new):(?:os|posix|nt|subprocess|builtins|__builtin__|commands|pty|runpy)\.\w+/g;

export const analyseYamlTags = ({ text, placeOf, world }: PatternInput): void => {
  for (const { 0: tag, index } of text.matchAll(YAML_CALL))
    world.alarm(
      'decoded-and-run',
      placeOf(index),
      `Loading this file with a loader that creates objects calls ${tag.replace(/^.*:/, '')}.`,
    );
};

/** Rows of a table have nothing to do with each other. */
const rowsOfTable = (paragraph: Paragraph): readonly Paragraph[] => {
  if (!/^\s*\|/.test(paragraph.text)) return [paragraph];
  let start = paragraph.start;
  return paragraph.text.split('\n').map((text) => {
    const row = { text, start };
    start += text.length + 1;
    return row;
  });
};

export const analyseOrders = (input: PatternInput): void => {
  lookAlikes(input);
  // Order marks stay where they are: each letter is one letter.
  const text = folded(input.text).replaceAll('’', "'");
  for (const { text: block, start } of paragraphs(text).flatMap(rowsOfTable)) {
    if (block.length > MOST) continue;
    orders(
      input,
      /[\u0400-\u052F]/.test(input.text) && !SEND.test(block) ? input.text.slice(start, start + block.length) : block,
      start,
    );
    clones(input, block, start);
    againstRules(input, block, start);
  }
};
