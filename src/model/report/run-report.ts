/** A metaskill run as one file: a replay that is scrubbed without Lathe (REP6). */
import { plural } from '../../base/text.ts';
import type { RunView } from '../instruments/run-view.ts';
import { createMasker } from '../masking/masker.ts';
import { escaped, htmlPage } from './page.ts';
import { maskedPart, type Report } from './recording-report.ts';

const LONGEST = 20_000;

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** Kept by the policy of the page through its hash: it shows one step of each run, and makes no request. */
const SCRIPT = `for (const run of document.querySelectorAll('[data-run]')) {
  const steps = [...run.querySelectorAll('.step')];
  const marks = [...run.querySelectorAll('.list span')];
  const range = run.querySelector('input');
  const show = () => {
    steps.forEach((step, index) => { step.hidden = index !== range.valueAsNumber; });
    marks.forEach((mark, index) => { index === range.valueAsNumber ? mark.setAttribute('aria-current', 'step') : mark.removeAttribute('aria-current'); });
  };
  range.addEventListener('input', show);
  let timer;
  run.querySelector('button').addEventListener('click', (event) => {
    if (timer) { clearInterval(timer); timer = undefined; event.target.textContent = 'Play'; return; }
    if (range.valueAsNumber >= steps.length - 1) range.value = 0;
    event.target.textContent = 'Pause';
    show();
    timer = setInterval(() => {
      range.value = range.valueAsNumber + 1;
      show();
      if (range.valueAsNumber >= steps.length - 1) { clearInterval(timer); timer = undefined; event.target.textContent = 'Play'; }
    }, 900);
  });
  show();
}
`;

const time = (ms: number | undefined): string =>
  ms === undefined ? '' : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

const runPart = (run: RunView): string => {
  const steps = run.items.map(
    ({ kind, label, line, at, durationMs, ok, request, response, notes }) =>
      `<div class="step"><p><b>${escaped(kind)} ${escaped(label)}</b>${line === undefined ? '' : ` · line ${line}`} · ${escaped(time(at))}${durationMs === undefined ? '' : ` · ${escaped(time(durationMs))}`}${ok ? '' : ' · failed'}</p>${request === '' ? '' : `<pre>${escaped(cut(request))}</pre>`}${response === '' ? '' : `<pre>${escaped(cut(response))}</pre>`}${notes.map((note) => `<p class="quiet">${escaped(note)}</p>`).join('')}</div>`,
  );
  const end = `<div class="step"><p><b>${escaped(run.status ?? 'Not finished')}</b></p>${run.result === undefined ? '' : `<pre>${escaped(cut(run.result))}</pre>`}</div>`;
  return `<section data-run aria-label="${escaped(`Run ${run.number} of ${run.name}`)}"><h2>${escaped(run.name)}, run ${run.number}</h2>
<p class="quiet">${escaped(`${run.status ?? 'not finished'} · ${plural(run.asks.used, 'ask')} of ${run.asks.most} · ${plural(run.commands.used, 'command')} of ${run.commands.most} · ${time(run.durationMs)}`)}</p>
<p><button type="button">Play</button></p>
<input type="range" min="0" max="${steps.length}" value="0" step="1" aria-label="Step">
<div class="list">${[...run.items.map(({ kind }) => kind), 'result'].map((kind) => `<span>${escaped(kind)}</span>`).join('')}</div>
${[...steps, end].join('\n')}</section>`;
};

export const runReport = (title: string, runs: readonly RunView[]): Report => {
  const masker = createMasker();
  masker.learn(runs);
  const shown = masker.mask(runs);
  const own = masker.mask(title);
  const body = `<h1>${escaped(plural(runs.length, 'metaskill run'))}</h1>
<p class="quiet">${escaped(own)}</p>
${shown.map(runPart).join('\n')}
<h2>Privacy</h2>
${maskedPart(masker.masked())}`;
  return { html: htmlPage({ title: `Lathe replay: ${own}`, body, script: SCRIPT }), masked: masker.masked() };
};
