/**
 * `gzip`, `gunzip`, `zcat`, `tar`, `zip`, `unzip` over fflate, because just-bash's own need Node. What an archive says is not
 * believed: unpacking stops at the limits, whatever the headers promise.
 */
import type { Command } from 'just-bash/browser';
import { gzipCommand } from './archive/gzip.ts';
import { tar } from './archive/tar.ts';
import { unzip, zip } from './archive/zip.ts';

export const archiveCommands: readonly Command[] = [
  gzipCommand('gzip'),
  gzipCommand('gunzip'),
  gzipCommand('zcat'),
  tar,
  zip,
  unzip,
];
