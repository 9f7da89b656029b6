import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import styles from './my-data.module.css';

export interface DataItem {
  /** What it is, such as `Settings` or `Sessions`. */
  readonly label: string;
  /** What it holds, in a few words. */
  readonly detail: string;
  readonly bytes?: number;
}

export interface DataReport {
  readonly items: readonly DataItem[];
  /** Of all that this page stores, as the browser counts it. */
  readonly used?: number;
  readonly quota?: number;
}

/** What the page keeps in this browser. Whoever stores something is behind it. */
export interface MyData {
  readonly report: () => Promise<DataReport>;
  /** Without keys, which are never exported. */
  readonly exportAll: () => Promise<void>;
  readonly deleteAll: () => Promise<void>;
}

const sizeText = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
};

type View =
  | { readonly status: 'reading' }
  | { readonly status: 'ready'; readonly report: DataReport }
  | { readonly status: 'failed'; readonly reason: string };

/** What is stored now, after something was done, or why that cannot be told. */
const readView = async (data: MyData, action?: () => Promise<void>): Promise<View> => {
  try {
    await action?.();
    return { status: 'ready', report: await data.report() };
  } catch (thrown) {
    return { status: 'failed', reason: thrown instanceof Error ? thrown.message : String(thrown) };
  }
};

export const MyDataSection = ({ data }: { readonly data: MyData }) => {
  const [view, setView] = useState<View>({ status: 'reading' });
  const [isAsking, setAsking] = useState(false);
  const [done, setDone] = useState('');

  useEffect(() => {
    void readView(data).then(setView);
  }, [data]);

  const act = async (action: () => Promise<void>, text: string): Promise<void> => {
    setAsking(false);
    const after = await readView(data, action);
    setView(after);
    if (after.status === 'ready') setDone(text);
  };

  if (view.status === 'reading') return <p className={styles['note']}>Reading what is stored…</p>;
  if (view.status === 'failed') {
    return (
      <div className={styles['list']} role="alert">
        <p className={styles['error']}>{view.reason}</p>
        <Button onPress={() => void readView(data).then(setView)}>Look again</Button>
      </div>
    );
  }
  const { items, used, quota } = view.report;
  return (
    <div className={styles['list']}>
      <p className={styles['note']}>
        Everything stays in this browser. Nothing is stored anywhere else, and deleting here deletes it.
      </p>
      {items.length === 0 ? (
        <p className={styles['note']}>Nothing is stored.</p>
      ) : (
        <dl className={styles['items']}>
          {items.map(({ label, detail, bytes }) => (
            <div key={label} className={styles['item']}>
              <dt>{label}</dt>
              <dd className={styles['detail']}>{detail}</dd>
              {bytes !== undefined && <dd className={styles['size']}>{sizeText(bytes)}</dd>}
            </div>
          ))}
        </dl>
      )}
      {used !== undefined && quota !== undefined && (
        <ProgressBar label="Storage used:" done={used} total={quota} format={sizeText} />
      )}
      <div className={styles['actions']}>
        <Button onPress={() => void act(data.exportAll, 'Exported.')}>Export all</Button>
        <Button
          look="danger"
          disabledReason={items.length === 0 ? 'Nothing is stored.' : undefined}
          onPress={() => setAsking(true)}
        >
          Delete all
        </Button>
        <span className={styles['note']} role="status">
          {done}
        </span>
      </div>
      <Dialog
        title="Delete everything?"
        role="alertdialog"
        size="small"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        footer={
          <>
            <Button look="danger" onPress={() => void act(data.deleteAll, 'Deleted.')}>
              Delete all
            </Button>
            <Button autoFocus look="primary" onPress={() => setAsking(false)}>
              Keep everything
            </Button>
          </>
        }
      >
        <p>This deletes from this browser, for good:</p>
        <ul>
          {items.map(({ label, detail }) => (
            <li key={label}>
              {label}: {detail}
            </li>
          ))}
        </ul>
        <p>Folders on your disk are not touched.</p>
      </Dialog>
    </div>
  );
};
