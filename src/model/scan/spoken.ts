/** Hosts that the programs of a skill talk to and that its documents never name: readers cannot know of them. */
import type { Place } from './types.ts';

/** Services that everybody uses under another name than their host has. */
const COMMON =
  /(?:^|\.)(?:googleapis\.com|google\.com|gstatic\.com|googleusercontent\.com|amazonaws\.com|cloudfront\.net|microsoftonline\.com|microsoft\.com|windows\.net|azure\.com|live\.com|office\.com|github\.com|githubusercontent\.com|github\.io|gitlab\.com|npmjs\.(?:org|com)|yarnpkg\.com|pypi\.org|pythonhosted\.org|crates\.io|rubygems\.org|golang\.org|nodejs\.org|python\.org|deps\.dev|osv\.dev|jsdelivr\.net|unpkg\.com|cloudflare\.com|cloudflare-dns\.com|vercel\.(?:app|com)|openai\.com|anthropic\.com|openrouter\.ai|huggingface\.co|telegram\.org|slack\.com|discord\.com|brave\.com|algolia\.com|ycombinator\.com|yahoo\.com|wikipedia\.org|wikimedia\.org|wikidata\.org|openstreetmap\.org|wttr\.in|ipify\.org|icanhazip\.com|ifconfig\.me|er-api\.com|exchangerate-api\.com|noembed\.com|audioscrobbler\.com|volces\.com|bytedance\.com|aliyuncs\.com|paypal\.com|squareup\.com|stripe\.com|astral\.sh|rustup\.rs|docker\.(?:com|io)|ubuntu\.com|debian\.org|apache\.org|w3\.org|schema\.org|doi\.org|arxiv\.org|crossref\.org|nih\.gov)$/;
/** Names that nobody has, and machines of one's own network. */
const NOBODY =
  /(?:^|\.)(?:example(?:\.\w+)?|test|invalid|local|localhost|internal|lan|home|corp)$|^(?:your|my)[\w-]*\.|(?:^|\.)(?:your|my|example)[\w-]*\.\w+$|^\d+(?:\.\d+){3}$/;
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/;
/** The last part of a name that is a kind of file. */
const FILE_END =
  /\.(?:py|sh|js|mjs|ts|md|txt|json|ya?ml|toml|html?|css|csv|png|jpe?g|svg|pdf|zip|gz|log|cfg|ini|conf|lock|db|sock)$/;

/** The name that somebody has registered, without the part that everybody of a country has. */
const ownLabel = (host: string): string => {
  const labels = host.split('.');
  const second = labels.at(-2) ?? '';
  return labels.length > 2 && /^(?:co|com|org|net|gov|ac|edu)$/.test(second) ? (labels.at(-3) ?? '') : second;
};

const squeezed = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '');

export interface Contact {
  readonly host: string;
  readonly place: Place;
}

/** Contacts of programs that no document names. `texts`: the documents. */
export const unspokenContacts = (contacts: readonly Contact[], texts: readonly string[]): readonly Contact[] => {
  const said = squeezed(texts.join('\n'));
  const seen = new Set<string>();
  return contacts.filter(({ host }) => {
    if (seen.has(host) || !HOST.test(host) || FILE_END.test(host) || COMMON.test(host) || NOBODY.test(host))
      return false;
    seen.add(host);
    const label = squeezed(ownLabel(host));
    return !said.includes(squeezed(host)) && (label.length < 4 || !said.includes(label));
  });
};
