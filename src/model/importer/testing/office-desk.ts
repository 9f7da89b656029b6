import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join, sep } from 'node:path';
import type { ImportDeps, ImportInput, ImportReport } from '../import-report.ts';
import { importSkill } from '../import-skill.ts';
import { testSigner } from './test-signer.ts';

export const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));
const CLOCK = '2026-05-10T22:00:00Z';

/** The files of a folder, by their paths in it. */
const readFiles = (folder: string): ReadonlyMap<string, Uint8Array> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path.split(sep).join('/'), new Uint8Array(readFileSync(join(folder, path)))]),
  );

const encoder = new TextEncoder();
export const textFiles = (files: Readonly<Record<string, string>>): ReadonlyMap<string, Uint8Array> =>
  new Map(Object.entries(files).map(([path, text]) => [path, encoder.encode(text)]));

export const importOffice = (deps: Partial<ImportDeps> = {}, input: Partial<ImportInput> = {}): Promise<ImportReport> =>
  importSkill(
    { now: () => CLOCK, signer: testSigner(), ...deps },
    { name: 'office-desk', from: 'fixtures/office-desk', files: readFiles(join(FIXTURES, 'office-desk')), ...input },
  );
