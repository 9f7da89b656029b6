/** What a program does as a whole, where no single value tells it. */
import type { PatternInput } from './pattern-input.ts';

/** All of the home folder, file by file. */
const WALKS_HOME =
  /\b(?:walk|rglob|glob|iterdir|scandir|readdir\w*)\b[^\n]{0,80}(?:expanduser|Path\.home|homedir|\$HOME|["'`]~)|(?:expanduser|Path\.home|homedir)\b[^\n]{0,80}\.(?:rglob|glob|iterdir|walk)\b/;
const ENCRYPTS = /\.encrypt\s?\(|\bcreateCipher(?:iv)?\b|\bencryptor\s?\(/;
const REPLACES = /\b(?:write_bytes|unlink|rename|replace|remove|writeFileSync|renameSync|unlinkSync)\s?\(/;

/** Memory that bytes are put into, and that is then called. */
const EXECUTABLE = /\.VirtualAlloc\w*\s?\(|\.mprotect\s?\(|\bPROT_EXEC\b|\bmmap\s?\([^)\n]{0,80}\bprot\s?=\s?(?:7|5)\b/;
const CALLS_MEMORY = /\b(?:CFUNCTYPE|WINFUNCTYPE)\s?\(|\.Create(?:Remote)?Thread\s?\(/;

export const analyseProgram = ({ text, placeOf, world }: PatternInput): void => {
  const walks = text.search(WALKS_HOME);
  if (walks !== -1 && ENCRYPTS.test(text) && REPLACES.test(text))
    world.alarm('destructive-delete', placeOf(walks), 'Encrypts the files in the home folder one by one.');
  const memory = text.search(EXECUTABLE);
  if (memory !== -1 && /\bctypes\b/.test(text) && CALLS_MEMORY.test(text))
    world.alarm('decoded-and-run', placeOf(memory), 'Copies bytes into memory and runs them.');
};
