/** The stage between generating and signing: the seven checks of each executor, then its tests in the sandbox. */
import { compareCodePoints } from '../../base/text.ts';
import { digestFiles } from '../signing/digest.ts';
import { runChecks, type CheckInput } from './checks.ts';
import { scriptMark, type ScriptMark } from './content-marks.ts';
import { executorPython } from './executor-python.ts';
import { manifestText } from './generate.ts';
import type { AcceptedExecutor, ImportDeps } from './import-report.ts';
import { questionsFor } from './routing-words.ts';
import { reachedFiles, whyNotHere } from './runs-here.ts';
import type { GeneratedExecutor, Rejection } from './types.ts';

export interface CheckExecutorsInput extends Pick<
  CheckInput,
  'source' | 'scan' | 'scriptFiles' | 'catalog' | 'isAuthorised'
> {
  readonly generated: readonly GeneratedExecutor[];
  /** Of the skill; the scripts can reach all of them. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly from: string;
  /** Of the skill's identity. */
  readonly origin: string;
  readonly importedAt: string;
}

export interface CheckedExecutors {
  readonly accepted: readonly AcceptedExecutor[];
  readonly refused: readonly Rejection[];
  /** The skill's own, and those of every executor that was accepted. Signatures are still to come. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Has passed the checks; the sandbox is still to be asked. */
interface Candidate {
  readonly manifest: string;
  readonly own: ReadonlyMap<string, Uint8Array>;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly accepted: AcceptedExecutor;
}

const encoder = new TextEncoder();

const scriptText = (files: ReadonlyMap<string, Uint8Array>, path: string): string => {
  const content = files.get(path);
  return content ? `${new TextDecoder().decode(content)}\n` : '';
};

export const checkExecutors = async (
  { model, smoke }: Pick<ImportDeps, 'model' | 'smoke'>,
  { generated, files: skillsOwn, from, origin, importedAt, ...shared }: CheckExecutorsInput,
): Promise<CheckedExecutors> => {
  const { source } = shared;
  const skillFiles = [...skillsOwn].map(([path, content]) => [`source/${path}`, content] as const);
  const sourcePaths = skillFiles.map(([path]) => path).toSorted(compareCodePoints);
  const accepted: AcceptedExecutor[] = [];
  const candidates: Candidate[] = [];
  const refused: Rejection[] = [];
  const files = new Map<string, Uint8Array>(skillFiles);
  const marks = new Map<string, readonly ScriptMark[]>();
  const markOf = (path: string): readonly ScriptMark[] => {
    const known = marks.get(path);
    if (known) return known;
    const mark = scriptMark(skillsOwn.get(path));
    const made = mark ? [mark] : [];
    marks.set(path, made);
    return made;
  };
  const siblings = generated.map(({ plan, wording }) => ({ name: plan.name, affinity: wording.affinity }));
  for (const executor of generated) {
    const { plan, wording, credentials } = executor;
    const questions = questionsFor(plan, wording.affinity);
    const judged = await model?.judge({
      manifest: `${wording.en}\n${wording.it}`,
      code: scriptText(skillsOwn, plan.source.script) + executorPython(plan, source.name, credentials),
    });
    // What its own script reaches: another script of the skill is another executor's.
    const reached = plan.source.script.endsWith('.py')
      ? reachedFiles(plan.source.script, skillsOwn)
      : shared.scriptFiles;
    const checks = runChecks({
      ...shared,
      scriptFiles: reached,
      scriptMarks: shared.catalog.length === 0 ? [] : [...reached].flatMap(markOf),
      credentials,
      plan,
      wording,
      siblings,
      questions,
      ...(judged && { judged }),
    });
    const failure = checks.find(({ status }) => status === 'failed');
    if (failure) {
      refused.push({ name: plan.name, reasons: [`${failure.check}: ${failure.detail}`] });
      continue;
    }
    const own = new Map([...executor.files].map(([path, content]) => [`${plan.name}/${path}`, content] as const));
    const codeFiles = [...own.keys(), ...sourcePaths];
    const all = new Map([...own, ...skillFiles]);
    const digest = digestFiles(all, codeFiles);
    if (digest === undefined) throw new Error(`a file of ${plan.name} is not there`);
    const manifest = manifestText({
      plan,
      source,
      wording,
      credentials,
      capabilities: executor.capabilities,
      from,
      origin,
      importedAt,
      codeFiles,
      digest,
    });
    candidates.push({
      manifest,
      own,
      files: all,
      accepted: {
        name: plan.name,
        plan,
        wording,
        capabilities: executor.capabilities,
        checks,
        questions,
        notHere: whyNotHere(plan.source.script, { files: skillsOwn, capabilities: shared.scan.capabilities }),
      },
    });
  }
  const smoked =
    candidates.length === 0
      ? undefined
      : await smoke?.(
          candidates.map((candidate) => ({
            name: candidate.accepted.name,
            manifest: candidate.manifest,
            files: candidate.files,
          })),
        );
  for (const { manifest, own, accepted: executor } of candidates) {
    const outcome = smoked?.get(executor.name);
    if (outcome && !outcome.ok) {
      refused.push({ name: executor.name, reasons: [`smoke: ${outcome.error}`] });
      continue;
    }
    for (const [path, content] of own) files.set(path, content);
    files.set(`${executor.name}/manifest.toml`, encoder.encode(manifest));
    accepted.push(executor);
  }
  return { accepted, refused, files };
};
