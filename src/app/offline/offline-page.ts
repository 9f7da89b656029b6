import { startOffline, type OfflineDeps } from './offline-client.ts';

/** Keeps the page for the next visit without a network, and says when there is a new version. */
export const keepOffline = (container: ServiceWorkerContainer, onUpdate: OfflineDeps['onUpdate']): void => {
  startOffline({
    container,
    script: new URL('service-worker.js', document.baseURI).href,
    onUpdate,
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
    console.info('Lathe can’t work offline in this browser:', thrown);
  });
};
