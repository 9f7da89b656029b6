import type { ShellStore } from '../shell/shell-state.ts';
import { startOffline } from './offline-client.ts';

/** Keeps the page for the next visit without a network, and says when there is a new version. */
export const startOfflinePage = (container: ServiceWorkerContainer, shell: Pick<ShellStore, 'notify'>): void => {
  startOffline({
    container,
    script: new URL('service-worker.js', document.baseURI).href,
    onUpdate: (reload) =>
      shell.notify({
        id: 'update',
        tone: 'info',
        text: 'A new version is ready. Reload when it suits you; until then this one goes on.',
        action: { label: 'Reload', run: reload },
      }),
    reloadPage: () => location.reload(),
    whenIdle: (action) => {
      if ('requestIdleCallback' in globalThis) requestIdleCallback(action, { timeout: 30_000 });
      else setTimeout(action, 5000);
    },
    onReturn: (action) =>
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'visible') action();
      }),
  }).catch((thrown: unknown) => {
    // The page works without it, online.
    console.info('Lathe does not work offline here:', thrown);
  });
};
