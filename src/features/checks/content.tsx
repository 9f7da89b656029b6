import { lazy, Suspense, type ReactNode } from 'react';
import type { EditedLibrary } from '../../model/preview/edited.ts';
import type { Editor } from '../editor/editor.ts';
import { CostFace } from '../preview/cost-face.tsx';
import { NotLoaded } from '../preview/not-loaded.tsx';
import { PickFace } from '../preview/pick-face.tsx';
import type { PreviewSettings } from '../preview/preview-settings.ts';
import styles from './checks.module.css';
import type { ListingSource } from './use-listing.ts';
import type { LabPage } from './trigger-lab.tsx';
import { type SkillText, useIsOpening, useSkillText } from './use-skill-text.ts';

type Needs = { readonly editor: Editor; readonly preview: PreviewSettings };

const Empty = ({ children }: { readonly children: ReactNode }) => <p className={styles['empty']}>{children}</p>;

/** The skill in front. Until it is read, what is below keeps its place. */
const ofSkill = (
  text: SkillText | undefined,
  isOpening: boolean,
  empty: string,
  /** About as high as the content, in pixels. */
  room: number,
  draw: (edited: EditedLibrary, text: SkillText) => ReactNode,
  /** Of a skill that is not loaded. One panel says why. */
  notLoaded: (edited: EditedLibrary | undefined) => ReactNode = (edited) => <NotLoaded edited={edited} />,
): ReactNode => {
  if (!text?.edited)
    return (
      <div style={{ minHeight: isOpening ? room : undefined }}>
        {text ? <div className={styles['panel']}>{notLoaded(undefined)}</div> : <Empty>{empty}</Empty>}
      </div>
    );
  return (
    <div className={styles['panel']}>
      {text.edited.name === undefined ? notLoaded(text.edited) : draw(text.edited, text)}
    </div>
  );
};

const useSkill = (editor: Editor): readonly [text: SkillText | undefined, isOpening: boolean] => {
  const text = useSkillText(editor);
  return [text, useIsOpening(editor, text)];
};

const EditCost = ({ editor, preview }: Needs) =>
  ofSkill(...useSkill(editor), 'Open a skill’s SKILL.md to see what it costs.', 264, (edited, { before, isSame }) => (
    <CostFace edited={edited} before={before} isSame={isSame} tokenizer={preview.tokenizer} compare={preview.compare} />
  ));

/** The lab: fetched when somebody looks. */
const Lab = lazy(async () => ({ default: (await import('./trigger-lab.tsx')).TriggerLab }));
/** Suites and statistics: fetched when somebody looks. */
const Measured = lazy(async () => ({ default: (await import('./measured-rates.tsx')).MeasuredRates }));

/** As high as a lab without runs, in pixels: word overlap below it keeps its place while the lab loads. */
const LAB_ROOM = 325;

const TriggerTest = ({
  editor,
  preview,
  workspace,
  lab,
  files,
  sessions,
  save,
}: Needs & Partial<LabPage> & { readonly workspace?: ListingSource }) =>
  ofSkill(
    ...useSkill(editor),
    'Open a skill’s SKILL.md to test when a model picks it.',
    640,
    (edited, { before, isSame }) => {
      const overlap = (
        <>
          <h3 className={styles['heading']}>Word overlap</h3>
          <PickFace edited={edited} before={before} storage={preview.storage} />
        </>
      );
      const { item, name } = edited;
      if (!workspace || item?.layer !== 'project') return overlap;
      return (
        <>
          <Suspense fallback={overlap}>
            <Measured source={workspace} folder={item.path}>
              {overlap}
            </Measured>
          </Suspense>
          <div style={{ minHeight: LAB_ROOM }}>
            <Suspense fallback={null}>
              {lab && files && sessions && save && name !== undefined && (
                <Lab
                  key={item.path}
                  page={{ lab, files, sessions, save }}
                  source={workspace}
                  edited={{ ...edited, name }}
                  before={before}
                  isSame={isSame}
                  {...(preview.storage && { storage: preview.storage })}
                />
              )}
            </Suspense>
          </div>
        </>
      );
    },
    () => 'No prompt can pick a skill that isn’t loaded.',
  );

/** Ten clients with their rules: fetched when somebody looks. */
const Listings = lazy(async () => ({ default: (await import('./agent-listings.tsx')).AgentListings }));

const AgentListings = ({ editor, workspace }: Pick<Needs, 'editor'> & { readonly workspace: ListingSource }) => (
  <Suspense fallback={<Empty>Loading agent rules…</Empty>}>
    <Listings
      source={workspace}
      open={(path) => editor.needs.open(path.endsWith('.md') ? path : `${path}/SKILL.md`)}
      now={Date.now}
    />
  </Suspense>
);

export const editCostContent = { Content: EditCost };
export const triggerTestContent = { Content: TriggerTest };
export const agentListingsContent = { Content: AgentListings };
