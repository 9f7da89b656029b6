import { describe, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import '../../ui/base.css';
import { workspaceSkill } from '../../model/workspace/testing/skills.ts';
import { LibraryPanel, type LibraryPanelProps, type LibraryState } from './library-panel.tsx';

const path = (index: number): string => `skills/skill-${String(index).padStart(2, '0')}`;
const skills = Array.from({ length: 80 }, (_, index) => workspaceSkill(path(index)));

const panel = (state: LibraryState, more: Partial<LibraryPanelProps> = {}) => (
  <div style={{ display: 'flex', flexDirection: 'column', width: 320, height: 500 }}>
    <LibraryPanel
      name="desk"
      state={state}
      selected={undefined}
      onSelect={() => {}}
      onCancel={() => {}}
      onRetry={() => {}}
      actions={[]}
      {...more}
    />
  </div>
);

describe('the library panel', () => {
  it('LB4: loading, canceled, failed, empty, and filtered to nothing differ, each with what to do next', async () => {
    const done: string[] = [];
    const more = {
      onCancel: () => void done.push('cancel'),
      onRetry: () => void done.push('retry'),
      emptyActions: <button type="button">Create one</button>,
    };
    const screen = await render(panel({ status: 'loading', progress: { done: 2, total: 5 } }, more));
    const seen = new Set<string>();
    const look = () => seen.add(screen.container.textContent);
    await expect.element(screen.getByRole('progressbar')).toBeVisible();
    look();
    await screen.getByRole('button', { name: 'Cancel' }).click();
    await screen.rerender(panel({ status: 'cancelled' }, more));
    look();
    await screen.getByRole('button', { name: 'Open again' }).click();
    await screen.rerender(panel({ status: 'failed', reason: 'The disk is gone.' }, more));
    await expect.element(screen.getByText('The disk is gone.')).toBeVisible();
    look();
    await screen.getByRole('button', { name: 'Try again' }).click();
    expect(done).toEqual(['cancel', 'retry', 'retry']);
    await screen.rerender(panel({ status: 'ready', skills: [] }, more));
    await expect.element(screen.getByRole('button', { name: 'Create one' })).toBeVisible();
    look();
    await screen.rerender(panel({ status: 'ready', skills }, more));
    await screen.getByRole('searchbox').fill('quilting');
    const clear = screen.getByRole('button', { name: 'Clear search' });
    await expect.element(clear).toBeVisible();
    look();
    expect(seen.size).toBe(5);
    await clear.click();
    await expect.element(screen.getByRole('row', { name: /^skill-00/ })).toBeVisible();
  });

  it('LB6: an action that is not possible now stays in the menu, and says why', async () => {
    const ran: string[] = [];
    const actions = [
      [
        {
          id: 'rename',
          label: 'Rename',
          disabledReason: () => 'The folder is read only.',
          run: () => ran.push('rename'),
        },
        { id: 'copy', label: 'Copy path', run: () => ran.push('copy') },
      ],
    ];
    const screen = await render(panel({ status: 'ready', skills }, { actions }));
    await screen.getByRole('row', { name: /^skill-00/ }).click({ button: 'right' });
    const rename = screen.getByRole('menuitem', { name: /Rename/ });
    await expect.element(rename).toHaveAttribute('aria-disabled', 'true');
    await expect.element(rename).toHaveTextContent('The folder is read only.');
    await screen.getByRole('menuitem', { name: 'Copy path' }).click();
    expect(ran).toEqual(['copy']);
  });

  it('LB8: a row that was chosen elsewhere comes into view, once', async () => {
    const state: LibraryState = { status: 'ready', skills };
    const screen = await render(panel(state));
    await expect.element(screen.getByRole('row', { name: /^skill-00/ })).toBeInViewport();
    await screen.rerender(panel(state, { selected: { skill: path(70) } }));
    const row = screen.getByRole('row', { name: /^skill-70/ });
    await expect.element(row).toBeInViewport();
    const tree = screen.getByRole('treegrid').element();
    tree.scrollTop = 0;
    await expect.element(screen.getByRole('row', { name: /^skill-00/ })).toBeInViewport();
    await screen.rerender(panel({ ...state }, { selected: { skill: path(70) } }));
    await expect.element(screen.getByRole('row', { name: /^skill-00/ })).toBeInViewport();
    expect(tree.scrollTop).toBe(0);
  });
});
