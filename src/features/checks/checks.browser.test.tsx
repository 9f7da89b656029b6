/** What a skill costs and when it is picked, beside the editor, in a real browser. Rules: features/editor/SPEC.md. */
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryTokenizer } from '../../platform/tokenizer/memory-tokenizer.ts';
import { mount, type Mounted } from '../editor/testing/mount.tsx';
import { FILES, SKILL } from '../editor/testing/samples.ts';
import type { PreviewSettings } from '../preview/preview-settings.ts';
import { editCostContent, triggerTestContent } from './content.tsx';

const PATH = 'skills/csv-tidy/SKILL.md';
let mounted: Mounted | undefined;
afterEach(() => mounted?.[Symbol.dispose]());

const open = async (preview: PreviewSettings = {}): Promise<Mounted> => {
  mounted = await mount({ files: { ...FILES, [PATH]: SKILL }, open: [PATH], mode: 'edit' });
  const { editor } = mounted;
  await render(
    <>
      <editCostContent.Content editor={editor} preview={preview} />
      <triggerTestContent.Content editor={editor} preview={preview} />
    </>,
  );
  return mounted;
};

describe('the checks beside the editor', () => {
  it('ED73: what it costs, and what an edit breaks', async () => {
    const { needs } = await open({ tokenizer: createMemoryTokenizer() });
    await page.getByText('Details').click();
    await expect.element(page.getByText(/counts about \d+ tokens for the index line/)).toBeVisible();
    await expect.element(page.getByText(/no unsaved changes/)).toBeVisible();
    needs.setText(PATH, SKILL.replace('rows are messy', 'rows are untidy'));
    await expect.element(page.getByText(/cached tokens are lost/)).toBeVisible();
    await expect.element(page.getByText(/differs from the skill index on/)).toBeVisible();
  });

  it('ED73, ED74: would it be picked, live, with prompts that are remembered', async () => {
    const values = new Map<string, string>();
    const { needs } = await open({
      storage: {
        getItem: (key) => values.get(key) ?? null,
        setItem: (key, value) => void values.set(key, value),
      },
    });
    await userEvent.fill(page.getByLabelText('A prompt that a person might write'), 'Sort the columns of this export');
    await page.getByRole('button', { name: 'Save prompt' }).click();
    const results = page.getByRole('list', { name: 'Prompts' });
    await expect.element(results.getByText(/No skill is picked/)).toBeVisible();
    needs.setText(PATH, SKILL.replace('rows are messy', 'the columns of an export need sorting'));
    await expect.element(results.getByText('better than saved')).toBeVisible();
    expect(values.get('lathe.preview-prompts')).toBe('["Sort the columns of this export"]');
    await page.getByRole('button', { name: /^Remove the prompt/ }).click();
    expect(values.get('lathe.preview-prompts')).toBe('[]');
  });

  it('ED73: a skill that is not loaded says why', async () => {
    const { needs } = await open();
    needs.setText(PATH, '---\nname: csv-tidy\n---\nNo description.\n');
    await expect.element(page.getByText(/this skill is not loaded/).first()).toBeVisible();
  });
});
