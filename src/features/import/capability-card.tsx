import { plural } from '../../base/text.ts';
import { ALARM_RULES } from '../../model/scan/rules.ts';
import { CAPABILITY_KINDS, type Alarm, type Place, type SkillScan } from '../../model/scan/types.ts';
import { Button } from '../../ui/button.tsx';
import styles from './import-panel.module.css';
import { visible } from './visible.ts';

const SHOWN = 12;

const why = (rule: string): string => Object.values(ALARM_RULES).find(({ id }) => id === rule)?.why ?? '';

const AlarmItem = ({ alarm }: { readonly alarm: Alarm }) => (
  <li className={styles['alarm']} data-severity={alarm.severity}>
    <p>
      <strong>{alarm.severity}</strong> <code>{`${alarm.file}:${alarm.line}`}</code> {visible(alarm.message)}{' '}
      {why(alarm.rule)}
    </p>
    {alarm.trail.length > 0 && (
      <ul>
        {alarm.trail.map(({ file, line, what }) => (
          <li key={`${file}:${line} ${what}`}>
            from <code>{`${file}:${line}`}</code> {visible(what)}
          </li>
        ))}
      </ul>
    )}
    {alarm.decoded !== undefined && (
      <>
        <p>Decoded from the skill. Don’t follow it:</p>
        <pre>{visible(alarm.decoded)}</pre>
      </>
    )}
  </li>
);

interface SameLines {
  readonly detail: string;
  readonly places: readonly string[];
}

/** Lines that say the same are one line with a count. */
const together = (found: readonly (Place & { readonly detail: string })[]): readonly SameLines[] => {
  const lines = new Map<string, string[]>();
  for (const { file, line, detail } of found) lines.set(detail, [...(lines.get(detail) ?? []), `${file}:${line}`]);
  return Array.from(lines, ([detail, places]) => ({ detail, places }));
};

const Line = ({ detail, places }: SameLines) => (
  <li>
    <code>{places[0]}</code> {visible(detail)}
    {places.length > 1 && <span title={places.join(', ')}>{` (${places.length} times)`}</span>}
  </li>
);

export type AlarmCardProps = {
  readonly scan: SkillScan;
  /** The import waits for a person. */
  readonly isStopped: boolean;
  readonly onAuthorise: () => void;
};

/** What stops an import, before everything else. */
export const AlarmCard = ({ scan, isStopped, onAuthorise }: AlarmCardProps) => (
  <section className={styles['first']} aria-label="Alarms of this skill">
    <h3 className={styles['lead']}>
      {scan.alarms.length === 0 ? 'Import stopped' : plural(scan.alarms.length, 'alarm')}
    </h3>
    {isStopped && (
      <p className={styles['ask']}>
        Nothing was imported. Read these lines first. If you still want the skill, Lathe records your decision in the
        audit.
        <Button look="danger" onPress={onAuthorise}>
          Import despite alarms
        </Button>
      </p>
    )}
    {scan.alarms.length > 0 && (
      <ul className={styles['alarms']} aria-label="Alarms">
        {scan.alarms.map((alarm) => (
          <AlarmItem key={`${alarm.rule} ${alarm.file}:${alarm.line}`} alarm={alarm} />
        ))}
      </ul>
    )}
  </section>
);

/** What the skill can do, line by line. It never says that a skill is harmless. */
export const CapabilityCard = ({ scan }: Pick<AlarmCardProps, 'scan'>) => {
  const unread = scan.files.filter(({ reading }) => reading === 'not read' || reading === 'patterns');
  return (
    <section className={styles['block']} aria-label="What the skill can do">
      <h3>What the skill can do</h3>
      <dl className={styles['capabilities']}>
        {CAPABILITY_KINDS.map((kind) => {
          const found = together(scan.capabilities.filter((item) => item.kind === kind));
          return (
            <div key={kind} data-empty={found.length === 0}>
              <dt>{kind}</dt>
              <dd>
                {found.length === 0 ? (
                  'nothing found'
                ) : (
                  <ul>
                    {found.slice(0, SHOWN).map((lines) => (
                      <Line key={lines.detail} {...lines} />
                    ))}
                    {found.length > SHOWN && <li>and {found.length - SHOWN} more</li>}
                  </ul>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      {scan.notes.length > 0 && (
        <details>
          <summary>{plural(scan.notes.length, 'note')}</summary>
          <ul>
            {together(scan.notes.map(({ message, ...place }) => ({ ...place, detail: message }))).map((lines) => (
              <Line key={lines.detail} {...lines} />
            ))}
          </ul>
        </details>
      )}
      {unread.length > 0 && (
        <p>
          Not read, or searched by patterns only:{' '}
          {unread.map(({ path, reason }) => (reason === undefined ? path : `${path} (${reason})`)).join(', ')}. Review
          them yourself.
        </p>
      )}
    </section>
  );
};
