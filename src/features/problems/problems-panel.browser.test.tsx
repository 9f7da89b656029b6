import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import '../../ui/base.css';
import { workspaceSkill } from '../../model/workspace/testing/skills.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';
import { ProblemsPanel } from './problems-panel.tsx';

const panel = (skills: readonly WorkspaceSkill[]) => (
  <div style={{ display: 'flex', flexDirection: 'column', width: 1000, height: 400 }}>
    <ProblemsPanel skills={skills} onGoTo={() => {}} onFix={() => {}} onFixAll={() => {}} />
  </div>
);

it('PB3: no problems, and none under these filters, are different states', async () => {
  const range = { start: 0, end: 0 };
  const hint = { rule: 'r', severity: 'hint', message: 'Look here.', file: 'SKILL.md', range, fixes: [] } as const;
  const screen = await render(panel([workspaceSkill('skills/good')]));
  await expect.element(screen.getByText('No problems')).toBeVisible();
  await screen.rerender(panel([workspaceSkill('skills/good', { diagnostics: [hint] })]));
  await expect.element(screen.getByText('No matching problems')).toBeVisible();
  await expect.element(screen.getByText('No problems')).not.toBeInTheDocument();
  await screen.getByRole('button', { name: /^Hints/ }).click();
  await expect.element(screen.getByText('Look here.')).toBeVisible();
  await expect.element(screen.getByText('No matching problems')).not.toBeInTheDocument();
});
