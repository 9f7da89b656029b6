/** PowerShell has no parser here: what its code does is seen by patterns, in scripts and in prose. */
import { decodeBase64, decodeBase64Utf16 } from './decode.ts';
import type { PatternInput } from './pattern-input.ts';
import { hostOf, isKnownInstaller } from './places.ts';

const POWERSHELL_RUN =
  /(?:\b(?:iex|invoke-expression)\b|\[scriptblock\]::create\b)[^\n]{0,120}(?:downloadstring|iwr|irm|invoke-webrequest|invoke-restmethod|net\.webclient)|(?:\biwr\b|\birm\b|invoke-webrequest|invoke-restmethod|downloadstring)[^\n|]{0,200}\|\s*(?:iex|invoke-expression)\b/gi;
const POWERSHELL_ENCODED =
  /\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,80}-e(?:nc(?:odedcommand)?|c)?\s+["']?([A-Za-z0-9+/=]{16,})/gi;

const POWERSHELL_DECODED =
  /\b(?:iex|invoke-expression)\b[^\n]{0,200}FromBase64String\s*\(\s*["']([A-Za-z0-9+/=]{4,})|FromBase64String\s*\(\s*["']([A-Za-z0-9+/=]{4,})["'][^\n]{0,200}\|\s*(?:iex|invoke-expression)\b/gi;

/** Kept in a variable first. */
const POWERSHELL_KEPT =
  /\b(?:downloadstring|downloaddata|irm|iwr|invoke-restmethod|invoke-webrequest)\b[\s\S]{0,400}?(?:\[scriptblock\]::create|\biex\b|\binvoke-expression\b|\binvoke-command\b[^\n]{0,40}-scriptblock)/gi;

export const analysePowershell = ({ text, placeOf, world }: PatternInput): void => {
  for (const match of text.matchAll(POWERSHELL_DECODED)) {
    const given = match[1] ?? match[2] ?? '';
    const decoded = decodeBase64(given) ?? decodeBase64Utf16(given);
    world.alarm(
      'decoded-and-run',
      placeOf(match.index),
      'PowerShell runs decoded code.',
      decoded === undefined ? {} : { decoded },
    );
  }
  for (const { 0: line, index } of [...text.matchAll(POWERSHELL_RUN), ...text.matchAll(POWERSHELL_KEPT)]) {
    const url = /https?:\/\/[^\s"')]+/i.exec(line)?.[0];
    if (url === undefined || !isKnownInstaller(url))
      world.alarm(
        'download-and-run',
        placeOf(index),
        `PowerShell runs downloaded code${url === undefined ? '' : ` from ${hostOf(url) ?? ''}`}.`,
      );
  }
  for (const match of text.matchAll(POWERSHELL_ENCODED)) {
    const decoded = decodeBase64Utf16(match[1] ?? '') ?? decodeBase64(match[1] ?? '');
    world.alarm(
      'decoded-and-run',
      placeOf(match.index),
      'PowerShell runs decoded code.',
      decoded === undefined ? {} : { decoded },
    );
  }
};
