/** What both guards keep. */
import { expect, it, vi } from 'vitest';
import type { TabGuard } from '../tab-guard.ts';

export const guardContract = (create: () => TabGuard): void => {
  let count = 0;
  const folder = (): string => `folder-${count++}-${Math.random()}`;

  it('TG1: the first tab writes, the others read; another folder is another matter', async () => {
    const guard = create();
    const [one, other] = [folder(), folder()];
    const first = await guard.claim(one);
    const second = await guard.claim(one);
    const elsewhere = await guard.claim(other);
    expect([first.role(), second.role(), elsewhere.role()]).toEqual(['writer', 'reader', 'writer']);
    for (const claim of [first, second, elsewhere]) await claim[Symbol.asyncDispose]();
  });

  it('TG2: when the writer closes, the next tab becomes the writer and hears of it', async () => {
    const guard = create();
    const one = folder();
    const [first, second, third] = [await guard.claim(one), await guard.claim(one), await guard.claim(one)];
    const heard: string[] = [];
    second.subscribe((role) => heard.push(role));
    await first[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(second.role()).toBe('writer'));
    expect(heard).toEqual(['writer']);
    expect(third.role()).toBe('reader');
    await second[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(third.role()).toBe('writer'));
    await third[Symbol.asyncDispose]();
  });

  it('TG3: a reader can take over; the writer then reads, hears of it, and can take it back', async () => {
    const guard = create();
    const one = folder();
    const [first, second] = [await guard.claim(one), await guard.claim(one)];
    const heard: string[] = [];
    first.subscribe((role) => heard.push(role));
    await second.takeOver();
    expect(second.role()).toBe('writer');
    await vi.waitFor(() => expect(first.role()).toBe('reader'));
    await first.takeOver();
    expect(first.role()).toBe('writer');
    await vi.waitFor(() => expect(second.role()).toBe('reader'));
    expect(heard).toEqual(['reader', 'writer']);
    await first.takeOver();
    await first[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(second.role()).toBe('writer'));
    await second[Symbol.asyncDispose]();
  });

  it('TG4: a claim that is given up leaves nothing behind', async () => {
    const guard = create();
    const one = folder();
    const [first, second] = [await guard.claim(one), await guard.claim(one)];
    await second[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    const third = await guard.claim(one);
    expect(third.role()).toBe('writer');
    await third[Symbol.asyncDispose]();
  });
};
