import type { ReactNode } from 'react';
import type { EditedLibrary } from '../../model/preview/edited.ts';
import type { Editor } from '../editor/editor.ts';
import { CostFace } from '../preview/cost-face.tsx';
import { NotLoaded } from '../preview/not-loaded.tsx';
import { PickFace } from '../preview/pick-face.tsx';
import type { PreviewSettings } from '../preview/preview-settings.ts';
import styles from './checks.module.css';
import { type SkillText, useSkillText } from './use-skill-text.ts';

type Needs = { readonly editor: Editor; readonly preview: PreviewSettings };

const Empty = ({ children }: { readonly children: ReactNode }) => <p className={styles['empty']}>{children}</p>;

const ofSkill = (
  text: SkillText | undefined,
  empty: string,
  draw: (edited: EditedLibrary, text: SkillText) => ReactNode,
): ReactNode => {
  if (!text) return <Empty>{empty}</Empty>;
  return (
    <div className={styles['panel']}>
      {text.edited?.name === undefined ? <NotLoaded edited={text.edited} /> : draw(text.edited, text)}
    </div>
  );
};

const EditCost = ({ editor, preview }: Needs) =>
  ofSkill(useSkillText(editor), 'Open the SKILL.md of a skill to see what it costs.', (edited, { before, isSame }) => (
    <CostFace edited={edited} before={before} isSame={isSame} tokenizer={preview.tokenizer} compare={preview.compare} />
  ));

const TriggerTest = ({ editor, preview }: Needs) =>
  ofSkill(useSkillText(editor), 'Open the SKILL.md of a skill to test when it is picked.', (edited, { before }) => (
    <PickFace edited={edited} before={before} storage={preview.storage} />
  ));

const AgentListings = () => (
  <Empty>What each agent lists of this skill will be here. Lathe can’t compute it in this window yet.</Empty>
);

export const editCostContent = { Content: EditCost };
export const triggerTestContent = { Content: TriggerTest };
export const agentListingsContent = { Content: AgentListings };
