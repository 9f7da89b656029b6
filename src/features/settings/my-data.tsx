import { useEffect, useState } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { ok, type Result } from '../../base/result.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import styles from './my-data.module.css';

export interface DataItem {
  readonly id: string;
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

/** What the page keeps in this browser. Anyone who stores something is after it. */
export interface MyData {
  readonly report: () => Promise<DataReport>;
  /** Without keys, which are never exported. */
  readonly exportAll: () => Promise<Result<unknown, { readonly message: string }>>;
  /** What could not be deleted is reported. */
  readonly deleteItem: (id: string) => Promise<Result<unknown, { readonly message: string }>>;
  readonly deleteAll: () => Promise<Result<unknown, { readonly message: string }>>;
}

const sizeText = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} KB`;
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
};

type View =
  | { readonly status: 'reading' }
  | { readonly status: 'ready'; readonly report: DataReport }
  | { readonly status: 'failed'; readonly reason: string };

type Action = MyData['exportAll'];

/** What is stored now, after something was done, or why that cannot be reported. */
const readView = async (data: MyData, action?: Action): Promise<View> => {
  try {
    const done = await action?.();
    if (done && !done.ok) return { status: 'failed', reason: done.error.message };
    return { status: 'ready', report: await data.report() };
  } catch (thrown) {
    return { status: 'failed', reason: errorMessage(thrown) };
  }
};

export const MyDataSection = ({ data }: { readonly data: MyData }) => {
  const [view, setView] = useState<View>({ status: 'reading' });
  /** What is to be deleted, while that is being asked. */
  const [asking, setAsking] = useState<DataItem | 'all'>();
  const [done, setDone] = useState('');

  useEffect(() => {
    void readView(data).then(setView);
  }, [data]);

  const act = async (action: Action, text: string): Promise<void> => {
    setAsking(undefined);
    const after = await readView(data, action);
    setView(after);
    if (after.status === 'ready') setDone(text);
  };

  if (view.status === 'reading') return <p className={styles['note']}>Reading stored data…</p>;
  if (view.status === 'failed') {
    return (
      <div className={styles['list']} role="alert">
        <p className={styles['error']}>{view.reason}</p>
        <Button onPress={() => void readView(data).then(setView)}>Refresh</Button>
      </div>
    );
  }
  const { items, used, quota } = view.report;
  return (
    <div className={styles['list']}>
      <p className={styles['note']}>
        Lathe stores your data only in this browser. Deleting it here deletes it permanently.
      </p>
      {items.length === 0 ? (
        <p className={styles['note']}>Nothing stored.</p>
      ) : (
        <dl className={styles['items']}>
          {items.map((item) => (
            <div key={item.id} className={styles['item']}>
              <dt>{item.label}</dt>
              <dd className={styles['detail']}>{item.detail}</dd>
              {item.bytes !== undefined && <dd className={styles['size']}>{sizeText(item.bytes)}</dd>}
              <dd className={styles['delete']}>
                <IconButton icon="close" label={`Delete: ${item.label}`} onPress={() => setAsking(item)} />
              </dd>
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
          disabledReason={items.length === 0 ? 'Nothing stored.' : undefined}
          onPress={() => setAsking('all')}
        >
          Delete all
        </Button>
        <span className={styles['note']} role="status">
          {done}
        </span>
      </div>
      <Dialog
        title={asking === undefined || asking === 'all' ? 'Delete everything?' : `Delete ${asking.label}?`}
        role="alertdialog"
        size="small"
        isOpen={asking !== undefined}
        onClose={() => setAsking(undefined)}
        footer={
          asking !== undefined && (
            <>
              <Button
                look="danger"
                onPress={() =>
                  void act(
                    async () => ok(await (asking === 'all' ? data.deleteAll() : data.deleteItem(asking.id))),
                    asking === 'all' ? 'Deleted. Reloading…' : 'Deleted. Open items disappear when you reload.',
                  )
                }
              >
                {asking === 'all' ? 'Delete all' : 'Delete'}
              </Button>
              <Button autoFocus look="primary" onPress={() => setAsking(undefined)}>
                {asking === 'all' ? 'Keep everything' : 'Keep'}
              </Button>
            </>
          )
        }
      >
        <p>This permanently deletes from this browser:</p>
        <ul>
          {(asking === undefined || asking === 'all' ? items : [asking]).map(({ id, label, detail }) => (
            <li key={id}>
              {label}: {detail}
            </li>
          ))}
        </ul>
        <p>
          Folders on your disk don’t change.
          {asking === 'all' && ' Lathe then reloads with the demo.'}
        </p>
      </Dialog>
    </div>
  );
};
