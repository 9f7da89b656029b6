#!/usr/bin/env node
// Firefox for Playwright, which starts this file as if it were the browser (`e2e/firefox.spec.ts`). Playwright can drive the Firefox of
// the system over WebDriver BiDi, but sends commands that releases don't know yet. Between the two, such a command becomes one that
// changes nothing.
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { findFirefox } from './firefox.mjs';

/** Sets what the page sees as the color scheme of the system. */
const UNKNOWN = /"method":"emulation\.setMediaFeaturesOverride"/;

/**
 * The frames at the start of some bytes, without what is there of the next one (RFC 6455, 5.2).
 *
 * @param {Buffer} bytes
 * @returns {{ start: number, payload: number, end: number }[]}
 */
const framesIn = (bytes) => {
  const frames = [];
  let start = 0;
  while (bytes.length >= start + 2) {
    const short = (bytes[start + 1] ?? 0) & 0x7f;
    const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
    // What a client sends is masked with four bytes.
    const payload = start + 2 + lengthBytes + 4;
    if (bytes.length < payload) break;
    const length =
      lengthBytes === 8
        ? Number(bytes.readBigUInt64BE(start + 2))
        : lengthBytes === 2
          ? bytes.readUInt16BE(start + 2)
          : short;
    if (bytes.length < payload + length) break;
    frames.push({ start, payload, end: payload + length });
    start = payload + length;
  }
  return frames;
};

/**
 * The frame with its command, or with one of the same length that only asks how the session is.
 *
 * @param {Buffer} frame
 * @param {number} payload
 */
export const harmless = (frame, payload) => {
  const key = frame.subarray(payload - 4, payload);
  /** @param {Buffer} bytes */
  const masked = (bytes) => Buffer.from(bytes.map((byte, index) => byte ^ (key[index % 4] ?? 0)));
  const text = masked(frame.subarray(payload)).toString();
  if (!UNKNOWN.test(text)) return frame;
  const id = /"id":(\d+)/.exec(text)?.[1] ?? '0';
  const other = `{"id":${id},"method":"session.status","params":{}}`.padEnd(text.length);
  return Buffer.concat([frame.subarray(0, payload), masked(Buffer.from(other))]);
};

/** @param {number} port where Firefox listens */
const relay = (port) =>
  createServer((client) => {
    const firefox = connect(port, '127.0.0.1');
    let waiting = Buffer.alloc(0);
    let isOpen = false;
    client.on('data', (bytes) => {
      waiting = Buffer.concat([waiting, Buffer.from(bytes)]);
      if (!isOpen) {
        const end = waiting.indexOf('\r\n\r\n');
        if (end === -1) return;
        isOpen = true;
        // Firefox answers only to its own address.
        const head = waiting.subarray(0, end + 4).toString('latin1');
        firefox.write(head.replace(/^host: .*$/im, `Host: 127.0.0.1:${port}`));
        waiting = waiting.subarray(end + 4);
      }
      const frames = framesIn(waiting);
      for (const { start, payload, end } of frames)
        firefox.write(harmless(waiting.subarray(start, end), payload - start));
      waiting = waiting.subarray(frames.at(-1)?.end ?? 0);
    });
    firefox.pipe(client);
    client.on('close', () => firefox.destroy());
    for (const side of [client, firefox]) side.on('error', () => client.destroy());
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const child = spawn(findFirefox() ?? 'firefox', process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] });
  let said = '';
  child.stderr.on('data', (bytes) => {
    said += String(bytes);
    const [line, port] = /WebDriver BiDi listening on ws:\/\/[^\s:]+:(\d+).*\n/.exec(said) ?? [];
    if (line === undefined) return;
    child.stderr.removeAllListeners('data').pipe(process.stderr);
    const server = relay(Number(port)).listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object')
        process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${address.port}\n`);
    });
  });
  child.once('exit', (code) => process.exit(code ?? 1));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => child.kill());
}
