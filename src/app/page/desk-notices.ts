/** What the desk has to say above the regions: folders of the last visit, a session that was left, addresses that nobody has agreed to, texts that were kept. */
import { plural } from '../../base/text.ts';
import { leftOutNote } from '../../model/files/write-rules.ts';
import type { FolderState } from '../../stores/folder-types.ts';
import type { Desk } from '../desk/desk-types.ts';
import type { Questions } from '../shell/questions.tsx';
import type { ShellStore } from '../shell/shell-state.ts';

export interface DeskNoticesDeps {
  readonly desk: Pick<Desk, 'database' | 'folder' | 'sessions' | 'sources' | 'files' | 'editor'>;
  readonly shell: Pick<ShellStore, 'notify' | 'dismiss'>;
  readonly questions: Pick<Questions, 'confirm'>;
  readonly fail: (id: string, thrown: unknown) => void;
  /** Calling the answer takes it back. */
  readonly after: (ms: number, work: () => void) => () => void;
  readonly show: (panel: 'editor') => void;
}

/** Quicker openings say nothing: a line that comes and goes would only move the page. */
const WORTH_SAYING = 1000;

/** In steps, so that the line isn't drawn for every file. */
const workText = ({ label, done = 0 }: NonNullable<FolderState['work']>): string =>
  done < 100 ? `${label}…` : `${label}… ${plural(done - (done % 100), 'file')} so far.`;

/** A slow opening, with a way to end it. While nothing is open yet, the Library says so itself. */
const tellOfWork = ({ desk: { folder }, shell, after }: DeskNoticesDeps): void => {
  const id = 'folder-work';
  let shown: string | undefined;
  let takeBack: (() => void) | undefined;
  const show = (): void => {
    const { work, current } = folder.getState();
    const text = work && current && workText(work);
    if (text === undefined || text === shown) return;
    shown = text;
    shell.notify({ id, tone: 'info', text, action: { label: 'Cancel', run: folder.cancel } });
  };
  folder.subscribe(({ work }, before) => {
    if (work === before.work) return;
    if (!work) {
      takeBack?.();
      takeBack = undefined;
      if (shown !== undefined) shell.dismiss(id);
      shown = undefined;
    } else if (shown !== undefined) show();
    else takeBack ??= after(WORTH_SAYING, show);
  });
};

/** A browser drops a damaged database without a word. */
const tellOfLoss = ({ desk: { database }, shell }: DeskNoticesDeps): void => {
  const { lost } = database;
  if (!lost) return;
  const counted = [
    [lost.sessions, 'session'],
    [lost.drafts, 'unsaved text'],
    [lost.handles, 'remembered folder'],
    [lost.consents, 'consent'],
  ] as const;
  const gone = counted.flatMap(([count, what]) => (count > 0 ? [plural(count, what)] : [])).join(', ');
  shell.notify({
    id: 'lost-data',
    tone: 'error',
    text: `The browser dropped Lathe’s database since your last visit. Gone: ${gone}. Files in folders and private workspaces are not affected.`,
  });
};

export const tellOfDesk = (deps: DeskNoticesDeps): void => {
  const { desk, shell, questions, fail } = deps;
  tellOfLoss(deps);
  tellOfWork(deps);
  desk.folder.subscribe((state, before) => {
    if (state.problem !== undefined && state.problem !== before.problem)
      fail('folder', new Error(state.problem.message));
    if (state.leftOut !== before.leftOut) {
      const text = leftOutNote(state.leftOut);
      if (text === undefined) shell.dismiss('left-out');
      else shell.notify({ id: 'left-out', tone: 'info', text });
    }
    if (state.waitingUser && state.waitingUser !== before.waitingUser) {
      const { name } = state.waitingUser;
      shell.notify({
        id: 'reopen-user',
        tone: 'info',
        text: `${name} was your user library at your last visit.`,
        action: { label: `Open ${name}`, run: () => void desk.folder.reopenUser() },
      });
    }
    if (state.waiting && state.waiting !== before.waiting) {
      const { id, name } = state.waiting;
      shell.notify({
        id: 'reopen',
        tone: 'info',
        text: `${name} was open at your last visit.`,
        action: { label: `Open ${name}`, run: () => void desk.folder.openRecent(id) },
      });
    }
  });
  desk.sessions.subscribe(({ left }, before) => {
    if (left === before.left) return;
    if (!left) {
      shell.dismiss('left-session');
      return;
    }
    const { id, title, name } = left;
    shell.notify({
      id: 'left-session',
      tone: 'info',
      text: `“${title || 'Untitled'}” belongs to ${name}. Lathe saved it and left it there.`,
      action: {
        label: `Back to ${name}`,
        run: () => void desk.sessions.goHome(id).catch((thrown: unknown) => fail('left-session', thrown)),
      },
    });
  });
  desk.sources.subscribe(({ addresses }, before) => {
    const undecided = (all: typeof addresses): readonly string[] =>
      all.flatMap(({ url, isAllowed }) => (isAllowed ? [] : [url]));
    const urls = undecided(addresses);
    if (urls.join('\n') === undecided(before.addresses).join('\n')) return;
    if (urls.length === 0) {
      shell.dismiss('sources');
      return;
    }
    const allow = async (): Promise<void> => {
      const isYes = await questions.confirm({
        title: urls.length === 1 ? 'Fetch skills from this URL?' : `Fetch skills from ${urls.length} URLs?`,
        text: 'Lathe fetches them now and whenever a session starts:',
        addresses: urls,
        more: 'The server only sees the request. Fetched programs never run without your consent.',
        action: 'Fetch',
      });
      if (isYes) await desk.sources.allow(urls);
    };
    const named = [...new Set(urls.map((url) => new URL(url).host))].join(', ');
    shell.notify({
      id: 'sources',
      tone: 'info',
      text: `This folder lists skills at ${named}. Lathe fetches them only with your consent.`,
      action: { label: 'Review', run: () => void allow().catch((thrown: unknown) => fail('sources', thrown)) },
    });
  });
  desk.files.subscribe(({ recoverable }, before) => {
    if (recoverable === before.recoverable) return;
    if (recoverable.length === 0) shell.dismiss('recover');
    else {
      const names = recoverable.length > 3 ? `${recoverable.length} files` : recoverable.join(', ');
      shell.notify({
        id: 'recover',
        tone: 'info',
        text: `Lathe saved your unsaved text of ${names}.`,
        action: {
          label: 'Show',
          run: () => {
            deps.show('editor');
            for (const path of recoverable) desk.editor.open(path);
          },
        },
      });
    }
  });
};
