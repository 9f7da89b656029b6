/** One HTML file that needs nothing else: a policy that allows no request, styles inside, and at most one script that it names by its hash. */
import { sha256 } from '../../base/hash.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for attributes in quotes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one);

/** A browser reads a line break in a file with CR as LF, and the hash is of what it reads. */
const base64Of = (hex: string): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const bytes = (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.slice(at, at + 3);
    text += letters[a >> 2];
    text += letters[((a & 3) << 4) | ((b ?? 0) >> 4)];
    text += b === undefined ? '=' : letters[((b & 15) << 2) | ((c ?? 0) >> 6)];
    text += c === undefined ? '=' : letters[c & 63];
  }
  return text;
};

export const policyFor = (script: string | undefined): string =>
  [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src 'sha256-${base64Of(sha256(script))}'`]),
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** Colors mean what they mean in the page: the values of its tokens. */
const STYLE = `
:root{color-scheme:light dark;--bg:light-dark(#fff,#15171a);--text:light-dark(#1b1d21,#e7e9ec);--quiet:light-dark(#596069,#a2a9b3);--line:light-dark(#d9dde2,#343940);--accent:light-dark(#2563c9,#7cb0ff);--error:light-dark(#bb2d24,#ff7a70);--read:light-dark(#17795a,#35b88a);--write:light-dark(#b9790b,#e0a43a);--uncached:light-dark(#7d899e,#66748c);--output:light-dark(#6a55cf,#9d8bf2);--hatch-wasted:repeating-linear-gradient(45deg,light-dark(rgb(255 255 255/75%),rgb(0 0 0/62%)) 0 3px,transparent 3px 6px)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1180px;padding:24px;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,sans-serif}
h1{margin:0;font-size:26px;line-height:1.25}h2{margin:28px 0 8px;font-size:17px}
p{margin:6px 0}.quiet,summary .quiet{color:var(--quiet)}
table{border-collapse:collapse;width:100%}th,td{padding:3px 12px 3px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
details.row{border-bottom:1px solid var(--line)}
details.row>summary{display:grid;grid-template-columns:52px 1fr 74px 150px;gap:10px;align-items:center;padding:3px 0;cursor:pointer;list-style:none}
details.row>summary:focus-visible{outline:2px solid var(--accent)}
details.row[open]{padding-bottom:10px}details.row>div{padding:0 0 0 62px;overflow-wrap:anywhere}
.bar{display:flex;height:13px}.bar i{display:block;height:100%}
.read{background:var(--read)}.written{background:var(--write)}.uncached{background:var(--uncached)}.output{background:var(--output);margin-left:3px}
.wasted{background:var(--hatch-wasted),var(--write)}
.key{display:inline-block;width:12px;height:12px;margin:0 5px 0 14px;vertical-align:-1px}
pre{margin:6px 0;padding:8px;border:1px solid var(--line);white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.45 ui-monospace,monospace}
del{color:var(--error)}ins{color:var(--read);text-decoration:none}
input[type=range]{width:100%}.step[hidden]{display:none}button{font:inherit;padding:3px 12px}
.list{display:flex;flex-wrap:wrap;gap:4px;margin:8px 0}.list span{padding:1px 8px;border:1px solid var(--line)}.list span[aria-current]{border-color:var(--accent);font-weight:600}
`;

export interface PageParts {
  readonly title: string;
  /** Markup: every string in it is escaped. */
  readonly body: string;
  readonly script?: string;
}

export const htmlPage = ({ title, body, script }: PageParts): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policyFor(script))}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
