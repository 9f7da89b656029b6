import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import '../../ui/base.css';
import { LogPanel } from './log-panel.tsx';
import { createLogStore } from './log-store.ts';

it('LL2, LL3: levels are hidden, which differs from empty, and what is shown is copied as text', async () => {
  const store = createLogStore({ now: () => Date.UTC(2026, 0, 1, 9, 30), nextFrame: (callback) => callback() });
  const copied: string[] = [];
  const screen = await render(
    <div style={{ display: 'flex', flexDirection: 'column', width: 900, height: 400 }}>
      <LogPanel store={store} onCopy={(text) => copied.push(text)} />
    </div>,
  );
  const copy = screen.getByRole('button', { name: 'Copy' });
  await expect.element(screen.getByText('No lines yet')).toBeVisible();

  store.log({ level: 'error', code: 'a', text: 'First thing.' });
  store.log({ level: 'info', code: 'b', text: 'Second thing.' });
  store.log({ level: 'debug', code: 'c', text: 'A detail.' });
  await expect.element(screen.getByText('First thing.')).toBeVisible();
  await expect.element(screen.getByText('A detail.')).not.toBeInTheDocument();
  await copy.click();
  await screen.getByRole('button', { name: /^Errors/ }).click();
  await expect.element(screen.getByText('First thing.')).not.toBeInTheDocument();
  await copy.click();
  expect(copied).toEqual([
    '09:30:00.000 error a First thing.\n09:30:00.000 info b Second thing.',
    '09:30:00.000 info b Second thing.',
  ]);

  await screen.getByRole('button', { name: /^Notes/ }).click();
  await expect.element(screen.getByText('No lines yet')).not.toBeInTheDocument();
  await expect.element(screen.getByText(/3 lines hidden/)).toBeVisible();
});
