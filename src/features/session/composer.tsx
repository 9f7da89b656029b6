import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  firstMentions,
  insertMention,
  mentionAt,
  type MentionChoice,
  mentionChoices,
  type MentionWord,
  mentionWords,
} from '../../model/session-view/mention-input.ts';
import { awayText } from '../../model/session/home.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { Button } from '../../ui/button.tsx';
import styles from './composer.module.css';
import type { SessionNeeds } from './needs.ts';
import type { SessionUi } from './session-ui.ts';
import { useIsRunning } from './use-session.ts';

export type ComposerProps = {
  readonly store: SessionStore;
  readonly ui: SessionUi;
  readonly needs: SessionNeeds;
  /** Gives what was refused, if it was. */
  readonly onSend: (text: string) => void;
};

const NO_FILES: readonly string[] = [];

interface Open {
  readonly word: MentionWord;
  readonly choices: readonly MentionChoice[];
  readonly active: number;
}

/** The message that is being written. `$` and `@` open a list; what mentions will come to stands below. */
export const Composer = ({ store, ui, needs, onSend }: ComposerProps) => {
  const draft = useStore(ui, (state) => state.draft);
  const enterSends = useStore(ui, (state) => state.enterSends);
  const isRunning = useIsRunning(store);
  const away = useStore(store, (state) => state.away);
  // The registry may have changed.
  useStore(store, (state) => state.revision);
  const [open, setOpen] = useState<Open>();
  const [files, setFiles] = useState(NO_FILES);
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const skills = needs.skills();

  const found = store.session() ? store.mentions(draft) : firstMentions(draft, skills);
  const mentions = draft.includes('$') ? found.map(mentionWords) : [];

  const loadFiles = async (): Promise<void> => {
    try {
      const paths = await needs.files();
      setFiles(paths);
      const now = field.current;
      if (now) look(now.value, now.selectionStart, paths);
    } catch {
      // Without a list there is nothing to choose from; the path can be typed.
      setFiles([]);
    }
  };

  const look = (text: string, caret: number, loaded?: readonly string[]): void => {
    const word = mentionAt(text, caret);
    if (!word) {
      setOpen(undefined);
      return;
    }
    // Asked with every new mention: files come and go.
    if (word.kind === 'file' && !loaded && (files === NO_FILES || word.query === '')) void loadFiles();
    const choices = mentionChoices(word, skills, loaded ?? files);
    setOpen(choices.length === 0 ? undefined : { word, choices, active: 0 });
  };

  const choose = (choice: MentionChoice): void => {
    if (!open) return;
    const next = insertMention(draft, open.word, choice);
    ui.write(next.text);
    setOpen(undefined);
    // The caret can be placed once the text is there.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(next.caret, next.caret);
    });
  };

  const canSend = draft.trim() !== '' && !isRunning && !away;
  const send = (): void => {
    if (canSend) onSend(draft.trim());
  };

  const onListKey = (event: KeyboardEvent, list: Open): boolean => {
    const count = list.choices.length;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        const step = event.key === 'ArrowDown' ? 1 : count - 1;
        setOpen({ ...list, active: (list.active + step) % count });
        return true;
      }
      case 'Enter':
      case 'Tab': {
        const choice = list.choices[list.active];
        if (choice) choose(choice);
        return true;
      }
      case 'Escape':
        setOpen(undefined);
        return true;
      default:
        return false;
    }
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter that ends the input of a sign is not meant for us.
    if (event.nativeEvent.isComposing) return;
    if (open && !event.ctrlKey && !event.metaKey && onListKey(event, open)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const isMod = event.ctrlKey || event.metaKey;
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || (!isMod && !enterSends)) return;
    event.preventDefault();
    send();
  };

  return (
    <div className={styles['composer']}>
      {mentions.length > 0 && (
        <ul className={styles['mentions']} aria-label="Mentions">
          {mentions.map(({ name, tone, text }) => (
            <li key={name} data-tone={tone}>
              <code>${name}</code> {text}
            </li>
          ))}
        </ul>
      )}
      {open && (
        <div
          className={styles['list']}
          id={listId}
          role="listbox"
          aria-label={open.word.kind === 'skill' ? 'Skills' : 'Files'}
        >
          {open.choices.map((choice, index) => (
            <div
              key={choice.label}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === open.active}
              className={styles['choice']}
              onMouseDown={(event) => {
                event.preventDefault();
                choose(choice);
              }}
            >
              <code>{choice.label}</code>
              <span className={styles['detail']}>{choice.detail}</span>
            </div>
          ))}
        </div>
      )}
      <div className={styles['line']}>
        <textarea
          ref={field}
          className={styles['field']}
          aria-label="Message"
          aria-autocomplete="list"
          aria-keyshortcuts={enterSends ? 'Enter' : 'Control+Enter'}
          {...(open && { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${open.active}` })}
          rows={2}
          placeholder={`Message · $skill or @file · ${enterSends ? 'Enter' : 'Ctrl Enter'} sends`}
          value={draft}
          onChange={({ currentTarget }) => {
            ui.write(currentTarget.value);
            look(currentTarget.value, currentTarget.selectionStart);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setOpen(undefined)}
        />
        <div className={styles['buttons']}>
          {/* Both keep their place, so that nothing moves when a turn begins or ends. */}
          <Button
            look="primary"
            icon="send"
            onPress={send}
            {...(!canSend && {
              disabledReason: isRunning
                ? 'A turn is running. Stop it, or wait until it ends.'
                : away
                  ? awayText(away)
                  : 'Enter a message first.',
            })}
          >
            Send
          </Button>
          <Button icon="stop" onPress={store.stop} {...(!isRunning && { disabledReason: 'Nothing is running.' })}>
            Stop
          </Button>
        </div>
      </div>
    </div>
  );
};
