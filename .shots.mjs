import { chromium } from '@playwright/test';
import { preview } from 'vite';
const server = await preview({ root: '/work/main', preview: { port: 0 }, logLevel: 'error' });
const url = server.resolvedUrls.local[0];
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const scheme = process.argv[2] ?? 'dark';
const page = await b.newPage({ viewport: { width: 1600, height: 1000 }, colorScheme: scheme });
page.on('console', (m) => { if (m.type() === 'error') console.log('console', m.text().slice(0, 200)); });
await page.goto(url);
await page.getByRole('button', { name: /^Run/ }).first().click({ timeout: 60000 });
await page.getByRole('button', { name: /Skip the tour/ }).click().catch(() => {});
await page.waitForTimeout(15000);
await page.screenshot({ path: `/tmp/s-${scheme}-session.png` });
for (const tab of process.argv.slice(3)) {
  await page.getByRole('tab', { name: new RegExp('^' + tab) }).first().click();
  await page.waitForTimeout(2500);
  await page.screenshot({ path: `/tmp/s-${scheme}-${tab.replace(/ /g, '-')}.png` });
}
await b.close(); await server.close(); process.exit(0);
