/** The preview in a real browser. Rules: features/editor/SPEC.md. */
import { page } from 'vitest/browser';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listingIn } from '../../model/clients/registry.ts';
import type { ClientId } from '../../model/clients/types.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { mount, type Mounted, type MountOptions } from './testing/mount.tsx';
import { FILES, SKILL } from './testing/samples.ts';

const PATH = 'skills/csv-tidy/SKILL.md';
let mounted: Mounted | undefined;
afterEach(() => mounted?.[Symbol.dispose]());

const open = async (body?: string, more: MountOptions = {}): Promise<Mounted> => {
  const text = body === undefined ? SKILL : `${SKILL.slice(0, SKILL.indexOf('# CSV'))}${body}`;
  return (mounted = await mount({ files: { ...FILES, [PATH]: text }, open: [PATH], mode: 'preview', ...more }));
};
const face = (name: string) => page.getByRole('tab', { name }).click();

describe('rendered', () => {
  it('ED70: HTML is text, and bad addresses are nothing', async () => {
    await open(
      '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\n\n[a](javascript:alert(1)) [b](data:text/html,x)\n\nEnd.',
    );
    await expect.element(page.getByText('End.')).toBeVisible();
    await expect.element(page.getByText(/<img src=x/)).toBeVisible();
    expect(document.querySelectorAll('script[src="x"], img[src="x"]')).toHaveLength(0);
    expect(Reflect.get(window, 'hacked')).toBeUndefined();
    expect([...document.querySelectorAll('[aria-label=Preview] a')]).toHaveLength(0);
  });

  it('ED71: a remote image waits for a click', async () => {
    const loadImage = vi.fn<(url: string) => Promise<Blob>>(() =>
      Promise.resolve(new Blob([new Uint8Array([1])], { type: 'image/png' })),
    );
    await open('![A plan](https://pictures.example/plan.png)', { preview: { loadImage } });
    await expect.element(page.getByText('https://pictures.example/plan.png')).toBeVisible();
    expect(loadImage).not.toHaveBeenCalled();
    await page.getByRole('button', { name: 'Load it from pictures.example' }).click();
    await expect.poll(() => document.querySelector('img[alt="A plan"]')?.getAttribute('src') ?? '').toMatch(/^blob:/);
    expect(loadImage).toHaveBeenCalledWith('https://pictures.example/plan.png');
  });

  it('ED71: an image that cannot be loaded says why', async () => {
    const loadImage = () => Promise.reject(new TypeError('Failed to fetch'));
    await open('![x](https://pictures.example/x.png)', { preview: { loadImage } });
    await page.getByRole('button', { name: /Load it/ }).click();
    await expect.element(page.getByText(/blocks it or can['’]t be reached/)).toBeVisible();
  });

  it('ED72: files and skills open here, a link out asks first', async () => {
    const { needs } = await open();
    await page.getByRole('button', { name: 'the rules' }).click();
    expect(needs.getState().active).toBe('skills/csv-tidy/references/rules.md');
    needs.open(PATH);
    await page.getByRole('button', { name: 'sql-style' }).click();
    expect(needs.calls).toContain('skill sql-style');
  });

  it('ED72: a link out names the host and opens without opener', async () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    await open('[docs](https://docs.example/a?b=c)');
    await page.getByRole('link', { name: 'docs' }).click();
    await expect.element(page.getByRole('dialog', { name: 'Open docs.example?' })).toBeVisible();
    await expect.element(page.getByText('https://docs.example/a?b=c')).toBeVisible();
    await page.getByRole('button', { name: 'Stay here' }).click();
    expect(opened).not.toHaveBeenCalled();
    await page.getByRole('link', { name: 'docs' }).click();
    await page.getByRole('button', { name: 'Open in a new tab' }).click();
    expect(opened).toHaveBeenCalledWith('https://docs.example/a?b=c', '_blank', 'noopener,noreferrer');
    opened.mockRestore();
  });

  it('a Markdown file that is no skill is rendered, without faces', async () => {
    await open(undefined, { open: ['AGENTS.md'] });
    await expect.element(page.getByText('Be kind.')).toBeVisible();
    expect(document.querySelectorAll('[aria-label="Preview tabs"]')).toHaveLength(0);
  });
});

describe('the other faces', () => {
  it('ED73: what the model sees, in both dialects', async () => {
    await open();
    await face('What the model sees');
    const line = '- csv-tidy: Tidies tables. Use when rows are messy.';
    await expect.element(page.getByLabelText('Index line, Dialect agents')).toHaveTextContent(line);
    await expect
      .element(page.getByLabelText('Result of skill', { exact: true }))
      .toHaveTextContent('<skill_content name="csv-tidy">');
    await expect.element(page.getByLabelText('Preloaded body, Dialect metis')).toHaveTextContent('# Skill: csv-tidy');
  });
});

// The face that was chosen last stays for the next skill, so these come after what is rendered.
describe('in an agent’s listing', () => {
  it('PE13: shows the line of the text as it is typed, and why it is cut', async () => {
    const text = `---\nname: csv-tidy\ndescription: ${'Long words. '.repeat(200)}\n---\n`;
    const listing = async (client: ClientId) => {
      const found = await listingIn(client, {
        project: createMemoryTree({ '.claude/skills/csv-tidy/SKILL.md': text }),
      });
      return { ...found, entries: found.entries.map((entry) => Object.assign({}, entry, { path: 'skills/csv-tidy' })) };
    };
    await open(undefined, { preview: { listing } });
    await face('What the model sees');
    const region = page.getByRole('region', { name: 'In an agent’s listing' });
    await expect.element(region.getByRole('status')).toHaveTextContent('Claude Code cuts its description.');
    await expect.element(region.getByText(/^- csv-tidy: Long words\./)).toBeVisible();
  });
});
