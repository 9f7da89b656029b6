import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { errorMessage } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { durationText } from '../../base/text.ts';
import type { ToolView, TurnView } from '../../model/session-view/types.ts';
import { groupDigits } from '../../model/session-view/words.ts';
import { commandText } from '../../model/tool/command-line.ts';
import type { PendingApproval } from '../../stores/session-types.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { ApprovalButtons } from './approval-buttons.tsx';
import type { CommandProgress } from './needs.ts';
import { RunEntries } from './run-entries.tsx';
import type { TurnActions } from './turn-actions.ts';
import styles from './tool-card.module.css';
import type { RunPauses } from './turn-actions.ts';

export type ToolCardProps = {
  readonly tool: ToolView;
  /** An open question about it. */
  readonly approval: PendingApproval | undefined;
  readonly renderTurn: (turn: TurnView) => ReactNode;
  readonly metaskill: TurnActions['metaskill'];
  readonly onShowChanges: (() => void) | undefined;
  readonly progress: CommandProgress | undefined;
  readonly pauses: RunPauses;
  readonly writesAtOnce: boolean;
};

const field = (input: Json, name: string): string | undefined => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const value = (input as Readonly<Record<string, Json>>)[name];
  return typeof value === 'string' ? value : undefined;
};

/** What it is about, in a few words. */
const subjectOf = ({ input }: ToolView): string => {
  const named = ['name', 'path', 'query', 'pattern', 'file'].map((name) => field(input, name)).find(Boolean);
  if (named !== undefined) return named;
  const argv = typeof input === 'object' && input !== null && 'argv' in input ? input['argv'] : undefined;
  return Array.isArray(argv) ? argv.join(' ') : '';
};

const STATES: Readonly<Record<ToolView['status'], string>> = {
  waiting: 'waiting',
  asking: 'asks for approval',
  running: 'running',
  completed: 'done',
  failed: 'failed',
  cancelled: 'not run',
};

const skillBadge = ({ skill }: ToolView): { readonly tone: BadgeTone; readonly text: string } | undefined => {
  switch (skill?.kind) {
    case 'loaded':
      return { tone: 'accent', text: `${groupDigits(skill.tokens ?? 0)} tokens · on demand` };
    case 'pointer':
      return { tone: 'preloaded', text: 'pointer: loaded before' };
    case 'refused':
      return { tone: 'error', text: 'refused' };
    default:
      return undefined;
  }
};

/** A load takes no time worth telling. */
const doneText = ({ skill, latencyMs }: ToolView): string => {
  if (skill) return '';
  return latencyMs === undefined ? STATES.completed : durationText(latencyMs);
};

const inputText = (input: Json): string => (typeof input === 'string' ? input : JSON.stringify(input, null, 2));

const decisionText = ({ approvals }: ToolView): string | undefined => {
  const last = approvals.at(-1);
  if (!last || last.status === 'open') return undefined;
  const reason = last.reason === undefined ? '' : `: ${last.reason}`;
  if (last.status === 'denied') return `You denied “${last.summary}”${reason}.`;
  if (last.status === 'timeout') return `The request to run “${last.summary}” timed out without your answer.`;
  const scope = { once: 'once', session: 'for this session', always: 'permanently' }[last.scope ?? 'once'];
  return `You allowed “${last.summary}” ${scope}.`;
};

type RefusedProps = { readonly skill: ReturnType<TurnActions['metaskill']> };

/** What to do about a metaskill that was refused, as things are now. */
const RefusedMetaskill = ({ skill }: RefusedProps) => {
  const [isTrusted, setTrusted] = useState(false);
  const [problem, setProblem] = useState<string>();
  const trust = async (): Promise<void> => {
    setProblem(undefined);
    try {
      setTrusted((await skill?.consent?.({})) === undefined);
    } catch (thrown) {
      setProblem(errorMessage(thrown));
    }
  };
  if (skill?.refusal !== undefined)
    return (
      <p className={styles['note']}>
        Your settings don’t allow this metaskill. Change them in Settings, then start a new session.
      </p>
    );
  if (!skill?.consent) return null;
  return (
    <div>
      {isTrusted ? (
        <p className={styles['note']} role="status">
          You now trust these files. Send your message again to run them.
        </p>
      ) : (
        <Button onPress={() => void trust()}>Trust metaskill…</Button>
      )}
      {problem !== undefined && (
        <p className={styles['error']} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
};

const isRefused = (error: string | undefined): boolean =>
  error !== undefined && /^error: (?:external )?metaskill .* is not allowed \(/.test(error);

/** Tools that run commands, by themselves or by a program. */
const RUNS_COMMANDS: ReadonlySet<string> = new Set(['run_command', 'run_metaskill']);

/** What its command waits for. */
const Progress = ({ progress }: { readonly progress: CommandProgress }) => {
  const text = useSyncExternalStore(progress.subscribe, progress.get);
  return (
    <p className={styles['note']} role="status">
      {text === undefined ? '' : `${text} …`}
    </p>
  );
};

/** What the tool told about its own work (D18). */
const Facts = ({ metadata }: { readonly metadata: ToolView['metadata'] | undefined }) => {
  const facts = Object.entries(metadata ?? {});
  return facts.length === 0 ? null : (
    <dl className={styles['facts']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
};

/** A tool call: what was asked, what came of it, and the question to a person if there is one. */
export const ToolCard = (props: ToolCardProps) => {
  const { tool, approval, renderTurn, metaskill, onShowChanges, progress, pauses, writesAtOnce } = props;
  const { name, status, result, error, run, nested, malformed, files, by } = tool;
  const pausedLine = useSyncExternalStore(pauses.subscribe, () => pauses.lineOf(tool.toolUseId));
  const badge = skillBadge(tool);
  const subject = subjectOf(tool);
  const decided = decisionText(tool);
  const isWorking = status === 'running' && RUNS_COMMANDS.has(name);
  const isOpen = status === 'failed' || status === 'asking' || isWorking || run !== undefined;
  return (
    <div className={styles['card']} data-status={status} role="group" aria-label={`${name} ${subject}`.trim()}>
      <details open={isOpen}>
        <summary className={styles['head']}>
          <span className={styles['name']}>{name}</span>
          <span className={styles['subject']}>{subject}</span>
          {by === 'user' && <Badge label="Added by Lathe, not the model">yours</Badge>}
          {badge && <Badge tone={badge.tone}>{badge.text}</Badge>}
          <span className={styles['state']} data-status={status}>
            {pausedLine !== undefined ? 'paused' : status === 'completed' ? doneText(tool) : STATES[status]}
          </span>
        </summary>
        <div className={styles['body']}>
          {run && <RunEntries run={run} nested={nested} renderTurn={renderTurn} />}
          {pausedLine !== undefined && (
            <p className={styles['note']} role="status">
              Paused before line {pausedLine}. Step or continue to resume.{' '}
              {pauses.onShow && (
                <Button look="link" onPress={pauses.onShow}>
                  Step through it
                </Button>
              )}
            </p>
          )}
          {isWorking && progress && <Progress progress={progress} />}
          {malformed !== undefined && <p className={styles['error']}>The input isn't valid JSON: {malformed}</p>}
          {error !== undefined && <p className={styles['error']}>{error}</p>}
          {isRefused(error) && <RefusedMetaskill skill={metaskill(field(tool.input, 'name') ?? '')} />}
          {decided !== undefined && <p className={styles['note']}>{decided}</p>}
          {approval && (
            <>
              {approval.request.argv && <CodeText block="Command">{commandText(approval.request.argv)}</CodeText>}
              <ApprovalButtons approval={approval} />
            </>
          )}
          {files && (
            <p className={styles['note']}>
              {writesAtOnce ? 'Written' : 'Changed, not yet in your folder'}: {files.join(', ')}{' '}
              {onShowChanges && (
                <Button look="link" onPress={onShowChanges}>
                  Review changes
                </Button>
              )}
            </p>
          )}
          <Facts metadata={tool.metadata} />
          <details className={styles['fold']}>
            <summary>Input</summary>
            <CodeText block={`Input of ${name}`}>{inputText(tool.input)}</CodeText>
          </details>
          {result && error === undefined && (
            <details
              className={styles['fold']}
              open={run === undefined && tool.skill === undefined && status === 'failed'}
            >
              <summary>
                Result <span className={styles['outside']}>untrusted content</span>
              </summary>
              <CodeText block={`Result of ${name}, untrusted content`}>{result.text}</CodeText>
            </details>
          )}
        </div>
      </details>
    </div>
  );
};

export type LiveToolCardProps = { readonly name: string; readonly input: string };

/** A call whose input is still arriving. */
export const LiveToolCard = ({ name, input }: LiveToolCardProps) => (
  <div className={styles['card']} data-status="waiting" role="group" aria-label={name}>
    <div className={styles['head']}>
      <span className={styles['name']}>{name}</span>
      <span className={styles['subject']}>{input}</span>
      <span className={styles['state']}>arriving</span>
    </div>
  </div>
);
