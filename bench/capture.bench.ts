/**
 * What a capture adds to a request: the same request straight to a provider on this machine, and through `lathe capture`.
 * And a transcript of 3 MB: read and ready to be explained, against parsing its JSON.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createRecordingReader } from '../src/model/traffic/recording/read-recording.ts';
import { startCaptureServer } from '../src/platform/http/node-capture.ts';
import { bestOf, report } from './measure.ts';

const REQUESTS = 300;
/** As long as a request of an agent usually is, and an answer that takes a model a moment. */
const BODY = JSON.stringify({
  model: 'claude-haiku-4-5',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'a line of text\n'.repeat(8_000) }],
});
const ANSWER_MS = 20;

const provider = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":1}}}\n\n');
    setTimeout(() => response.end('event: message_stop\ndata: {"type":"message_stop"}\n\n'), ANSWER_MS);
  });
});
await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve));
const direct = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
const lines: string[] = [];
const capture = await startCaptureServer({
  target: direct,
  port: 0,
  now: Date.now,
  record: (line) => lines.push(line),
});

const ask = async (url: string): Promise<number> => {
  const start = performance.now();
  await (await fetch(`${url}/v1/messages`, { method: 'POST', body: BODY })).text();
  return performance.now() - start;
};
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const times: { direct: number[]; captured: number[] } = { direct: [], captured: [] };
// In turns: what else runs on the machine is the same for both.
for (let count = 0; count < REQUESTS; count++) {
  times.direct.push(await ask(direct));
  times.captured.push(await ask(capture.url));
}
await capture.close();
provider.close();
provider.closeAllConnections();
const [straight, captured] = [median(times.direct), median(times.captured)];
process.stdout.write(
  `  a capture adds ${(captured - straight).toFixed(2)} ms to a request of ${straight.toFixed(1)} ms\n`,
);
report('a request of 120 kB through a capture, against a direct one', captured / straight, { atMost: 1.25 });
if (lines.length !== REQUESTS) throw new Error(`${lines.length} of ${REQUESTS} requests were recorded`);

/** The largest transcript of the shared data; none where there is no such folder beside the project. */
const largestTranscript = (): string | undefined => {
  const folder = join(process.cwd(), '..', 'shared', 'traffic', 'claude-code');
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const size = (name: string): number => statSync(join(folder, name)).size;
  const [largest] = files.toSorted((a, b) => size(b) - size(a));
  return largest === undefined ? undefined : readFileSync(join(folder, largest), 'utf8');
};

const ROUNDS = 15;
const text = largestTranscript();
if (text === undefined)
  process.stdout.write('  no shared transcript beside the project: reading one is not measured\n');
else {
  const transcript = text.split('\n').filter((line) => line !== '');
  const parsing = bestOf(ROUNDS, () => {
    for (const line of transcript) JSON.parse(line);
  });
  const reading = bestOf(ROUNDS, () => {
    const reader = createRecordingReader('session.jsonl');
    for (const line of transcript) reader.add(line);
    if (reader.end().calls.length === 0) throw new Error('the requests are missing');
  });
  report('a transcript of 3 MB is read, against parsing its JSON', reading / parsing, { atMost: 2 });
}
