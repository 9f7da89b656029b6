import { type ReactNode, type Ref, useCallback, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { plural } from '../../base/text.ts';
import type { ContextFile } from '../../model/workspace/context-files.ts';
import type { ReadProgress } from '../../model/library/pace.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ContextMenu, type MenuEntry, type MenuGroup } from '../../ui/menu.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { SearchField } from '../../ui/text-field.tsx';
import { Tree, type TreeHandle } from '../../ui/tree.tsx';
import { HealthLine, type HealthGroup, useHealth } from './library-health.tsx';
import { LibraryHits, useHits } from './library-hits.tsx';
import styles from './library-panel.module.css';
import {
  contextGroup,
  type LayerNode,
  type LibraryNode,
  type LibraryTarget,
  librarySummary,
  libraryTree,
  onlySkills,
  rowId,
  searchLibrary,
  targetOf,
  agentsWords,
  isNoAgents,
  whyNotLoaded,
} from './library-view.ts';

/** What can be done with a row. An action that is not possible now says why. */
export type LibraryAction = {
  readonly id: string;
  readonly label: string;
  readonly isDanger?: boolean;
  readonly disabledReason?: (target: LibraryTarget) => string | undefined;
  readonly run: (target: LibraryTarget) => void;
};

export type LibraryState =
  | { readonly status: 'loading'; readonly progress?: ReadProgress }
  | { readonly status: 'cancelled' }
  | { readonly status: 'failed'; readonly reason: string }
  | {
      readonly status: 'ready';
      readonly skills: readonly WorkspaceSkill[];
      readonly context?: readonly ContextFile[] | undefined;
      /** Of a session, inside the opened folder; empty for the folder itself. */
      readonly workingFolder?: string;
      readonly lostWorkingFolder?: string | undefined;
      /** What is still to come of a large folder. */
      readonly stillReading?: 'skills' | 'files' | 'changes' | undefined;
    };

const STILL_READING = {
  skills: 'Reading more skills…',
  files: 'Checking skill files…',
  changes: 'As last opened. Checking for changes…',
};

const NO_FILES: readonly ContextFile[] = [];

export type LibraryHandle = { readonly focusSearch: () => void };

export type LibraryPanelProps = {
  /** Of the folder that is open or being opened. */
  readonly name: string;
  readonly state: LibraryState;
  readonly selected: LibraryTarget | undefined;
  /** `at` is a place in the file, `line:column`. */
  readonly onSelect: (target: LibraryTarget, at?: string) => void;
  /** A file of the open folder as text, for the search in texts. */
  readonly read?: ((path: string) => Promise<string | undefined>) | undefined;
  readonly onCancel: () => void;
  readonly onRetry: () => void;
  /** Actions by group: a line is drawn between groups. */
  readonly actions: readonly (readonly LibraryAction[])[];
  /** Buttons for a folder without skills. */
  readonly emptyActions?: ReactNode;
  readonly handle?: Ref<LibraryHandle>;
};

const thousands = (tokens: number): string => (tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(1)}k`);

/** Kind and place. Of a long place the end says most, so the middle gives way; of an address, the host. */
const LayerName = ({ text, label, place: whole = '', isRemote }: LayerNode) => {
  const host = isRemote === true ? whole.replace(/\/.*$/s, '') : '';
  const place = whole.slice(host.length);
  const end = place.lastIndexOf('/');
  return (
    <span className={styles['layer']} title={text}>
      <span className={styles['kind']}>{label}</span>
      {whole !== '' && (
        <>
          <span aria-hidden="true">·</span>
          {host !== '' && <span className={styles['host']}>{host}</span>}
          <span className={styles['start']}>{end === -1 ? place : place.slice(0, end)}</span>
          {end !== -1 && <span className={styles['end']}>{place.slice(end)}</span>}
        </>
      )}
    </span>
  );
};

const Row = ({ node }: { readonly node: LibraryNode }) => {
  if (node.kind === 'layer') {
    return (
      <>
        <LayerName {...node} />
        <span className={styles['figure']}>{node.count}</span>
      </>
    );
  }
  if (node.kind === 'file') {
    return (
      <>
        <Icon name="file" />
        <span className={styles['file']}>{node.path}</span>
        {node.use !== undefined && <span className={styles['use']}>{node.use}</span>}
      </>
    );
  }
  const { skill, errors, warnings } = node;
  const notLoaded = whyNotLoaded(skill);
  return (
    <>
      <span className={styles['name']} data-shadowed={skill.outcome === 'shadowed'} title={agentsWords(skill)}>
        {skill.name}
      </span>
      {skill.outcome === 'shadowed' && <Badge label="A skill with the same name hides this one">shadowed</Badge>}
      {/* Errors say it already. */}
      {notLoaded !== undefined && errors === 0 && (
        <Badge label={isNoAgents(skill) ? `${notLoaded}. No known agent looks there either` : notLoaded}>
          {isNoAgents(skill) ? 'no agent' : 'not loaded'}
        </Badge>
      )}
      {skill.isPreloaded && <i className={styles['preloaded']} title="Preloaded: its body is part of the padding" />}
      {skill.isMetaskill && (
        <Badge tone="accent" label="A metaskill: it runs a Starlark program">
          star
        </Badge>
      )}
      {errors > 0 && (
        <Badge tone="error" label={`${notLoaded === undefined ? '' : 'Not loaded. '}Errors: ${errors}`}>
          ✕{errors}
        </Badge>
      )}
      {warnings > 0 && (
        <Badge tone="warning" label={`Warnings: ${warnings}`}>
          !{warnings}
        </Badge>
      )}
      <span className={styles['figure']} title="Estimated body tokens">
        {thousands(skill.tokens)}
      </span>
    </>
  );
};

const renderRow = (node: LibraryNode): ReactNode => <Row node={node} />;

/** The folder's skills by layer, with a search and a menu for each row. */
const SkillTree = ({
  skills,
  context = NO_FILES,
  summary,
  selected,
  onSelect,
  actions,
  emptyActions,
  handle,
  stillReading,
  onCancel,
  read,
}: Omit<LibraryPanelProps, 'name' | 'state' | 'onRetry'> & {
  readonly stillReading: 'skills' | 'files' | 'changes' | undefined;
  readonly skills: readonly WorkspaceSkill[];
  readonly context?: readonly ContextFile[] | undefined;
  readonly summary: string;
}) => {
  const [query, setQuery] = useState('');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [menu, setMenu] = useState<{ readonly target: LibraryTarget; readonly row: Element }>();
  const input = useRef<HTMLInputElement>(null);
  const tree = useRef<TreeHandle>(null);
  const layers = useMemo(() => [...libraryTree(skills), ...contextGroup(context)], [skills, context]);
  const health = useHealth(skills);
  const [wantedGroup, setGroup] = useState<HealthGroup>();
  const inGroup = wantedGroup && health?.[wantedGroup];
  // A group that has become empty is not a filter any longer.
  const group = inGroup && inGroup.size > 0 ? wantedGroup : undefined;
  const filtered = useMemo(() => (group && inGroup ? onlySkills(layers, inGroup) : layers), [layers, group, inGroup]);
  const search = useMemo(() => searchLibrary(filtered, query), [filtered, query]);
  const found = useHits(query, skills, read);
  useImperativeHandle(handle, () => ({ focusSearch: () => input.current?.select() }));

  // Another function would make all rows again.
  const openMenu = useCallback((id: string, row: Element): void => {
    const target = targetOf(id);
    if (target) setMenu({ target, row });
  }, []);

  const isSearching = query.trim() !== '';
  // Layers are open until the user closes one; skills are closed until the user, or the selection of a file, opens one.
  const expanded = useMemo(() => {
    if (isSearching) return new Set([...search.open, ...opened]);
    const open = new Set([...layers.map(({ id }) => id).filter((id) => !closed.has(id)), ...opened]);
    return open;
  }, [isSearching, search, layers, closed, opened]);

  const onExpand = (ids: ReadonlySet<string>): void => {
    setClosed(new Set(layers.map(({ id }) => id).filter((id) => !ids.has(id))));
    setOpened(new Set([...ids].filter((id) => targetOf(id) !== undefined)));
  };

  if (skills.length === 0) {
    return (
      <EmptyState title="No skills in this folder" actions={emptyActions}>
        A skill is a folder with a SKILL.md, in .agents/skills, .claude/skills, skills, or at the top. Create one or
        open another folder.
      </EmptyState>
    );
  }

  const visibleId =
    selected &&
    (selected.file === undefined ||
    context.some(({ path }) => selected.skill === '' && path === selected.file) ||
    expanded.has(rowId({ skill: selected.skill }))
      ? rowId(selected)
      : rowId({ skill: selected.skill }));
  const groups: MenuGroup[] = menu
    ? actions.map((entries) => ({
        entries: entries.map(({ run, disabledReason, ...entry }): MenuEntry => ({
          ...entry,
          disabledReason: disabledReason?.(menu.target),
          onAction: () => run(menu.target),
        })),
      }))
    : [];

  return (
    <div className={styles['panel']}>
      <div className={styles['search']}>
        <SearchField
          label="Search skills and files"
          placeholder={`Search ${plural(skills.length, 'skill')}`}
          value={query}
          onChange={setQuery}
          inputRef={input}
          onDown={() => tree.current?.focus()}
        />
      </div>
      <HealthLine
        skills={skills}
        health={health}
        group={group}
        onGroup={setGroup}
        selected={selected?.skill}
        onSelect={(id) => onSelect({ skill: id })}
      />
      {search.nodes.length === 0 && found !== undefined && found.hits.length > 0 ? null : search.nodes.length === 0 ? (
        <EmptyState
          title={`No matches for “${query.trim()}”`}
          actions={<Button onPress={() => setQuery('')}>Clear search</Button>}
        >
          Lathe searches the names and contents of skills and files.
        </EmptyState>
      ) : (
        <Tree<LibraryNode>
          label="Skills"
          nodes={search.nodes}
          expanded={expanded}
          onExpand={onExpand}
          selected={visibleId}
          onSelect={(id) => {
            const target = targetOf(id);
            if (target) onSelect(target);
          }}
          renderRow={renderRow}
          onMenu={openMenu}
          handle={tree}
        />
      )}
      {found && found.hits.length > 0 && <LibraryHits found={found} onSelect={onSelect} />}
      {isSearching && search.found > 0 && (
        <p className={styles['note']} role="status">
          {search.found} of {skills.length} skills
        </p>
      )}
      {stillReading === undefined ? (
        !isSearching && <p className={styles['note']}>{summary}</p>
      ) : (
        <div className={styles['more']} role="status">
          <span>{STILL_READING[stillReading]}</span>
          <Button onPress={onCancel}>Cancel</Button>
        </div>
      )}
      <ContextMenu
        label={`Actions for ${menu?.target.file ?? menu?.target.skill ?? 'nothing'}`}
        groups={groups}
        target={menu?.row}
        onClose={() => setMenu(undefined)}
      />
    </div>
  );
};

export const LibraryPanel = ({ name, state, onCancel, onRetry, ...rest }: LibraryPanelProps) => {
  switch (state.status) {
    case 'loading':
      return (
        <div className={styles['wait']} role="status">
          <p>Opening {name}</p>
          <ProgressBar label="Skills read:" done={state.progress?.done ?? 0} total={state.progress?.total} />
          <Button onPress={onCancel}>Cancel</Button>
        </div>
      );
    case 'cancelled':
      return (
        <EmptyState title="Opening canceled" actions={<Button onPress={onRetry}>Open again</Button>}>
          Nothing in {name} was changed.
        </EmptyState>
      );
    case 'failed':
      return (
        <EmptyState title={`Can’t open ${name}`} actions={<Button onPress={onRetry}>Try again</Button>}>
          {state.reason}
        </EmptyState>
      );
    case 'ready':
      return (
        <SkillTree
          skills={state.skills}
          context={state.context}
          summary={librarySummary(state.skills, state.workingFolder ?? '', state.lostWorkingFolder)}
          stillReading={state.stillReading}
          onCancel={onCancel}
          {...rest}
        />
      );
  }
};
