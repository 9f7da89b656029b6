/** The page's side of the service worker. */

export interface OfflineDeps {
  readonly container: ServiceWorkerContainer;
  readonly script: string;
  /** A new version waits. Calling `reload` takes it; nothing else does. */
  readonly onUpdate: (reload: () => void) => void;
  readonly reloadPage: () => void;
  /** Calls back when the page has nothing better to do. */
  readonly whenIdle: (action: () => void) => void;
  /** Calls back when the user comes back to the page. */
  readonly onReturn: (action: () => void) => void;
}

/** Installed while an older one is in charge, or already waiting when the page was opened. */
const watchForUpdate = (registration: ServiceWorkerRegistration, found: () => void): void => {
  if (registration.waiting) found();
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing;
    coming?.addEventListener('statechange', () => {
      if (coming.state === 'installed' && registration.active) found();
    });
  });
};

export const startOffline = async (deps: OfflineDeps): Promise<void> => {
  const { container } = deps;
  let isWanted = false;
  container.addEventListener('controllerchange', () => {
    if (isWanted) deps.reloadPage();
  });
  const registration = await container.register(deps.script, { updateViaCache: 'none' });
  watchForUpdate(registration, () =>
    deps.onUpdate(() => {
      isWanted = true;
      // Another page may have taken it meanwhile: a plain reload then shows it.
      if (registration.waiting) registration.waiting.postMessage('take-over');
      else deps.reloadPage();
    }),
  );
  // Without a network there is nothing to look for.
  deps.onReturn(() => void registration.update().catch(() => undefined));
  await container.ready;
  deps.whenIdle(() => registration.active?.postMessage('fetch-rest'));
};
