import { ARCHIVE_ENDINGS } from '../../model/files/archive-names.ts';
import { chooseFile, chooseFolderFiles } from '../../platform/fs/choose-files.ts';
import { canPickFolders } from '../../platform/fs/pick-folder.ts';
import { createNextFrame } from '../../platform/runtime/next-frame.ts';
import { keepOffline } from '../offline/offline-page.ts';
import { focusComposer, focusNextRegion, focusRegion, focusWhenFree } from '../shell/regions.ts';
import type { Browser } from './browser.ts';

const download: Browser['download'] = (name, content, type) => {
  const link = document.createElement('a');
  const part = typeof content === 'string' ? content : content.slice().buffer;
  link.href = URL.createObjectURL(new Blob([part], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};

const onKey: Browser['onKey'] = (listener) =>
  addEventListener(
    'keydown',
    (event) => {
      const target = event.target instanceof Element ? event.target : undefined;
      const isTaken = listener(event, {
        isInField: target?.closest('input, textarea, [contenteditable], [role=textbox]') !== null,
        isInDialog: document.querySelector('[data-modal]') !== null,
      });
      if (!isTaken) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );

const onDrop: Browser['onDrop'] = (listener) => {
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    // A panel that takes the drop for itself has said so.
    if (event.defaultPrevented || !event.dataTransfer || event.dataTransfer.items.length === 0) return;
    event.preventDefault();
    listener(event.dataTransfer.items);
  });
};

/** The window that the page runs in. */
export const realBrowser = (): Browser => {
  const root = document.documentElement;
  const addressFor = (hash: string): string => hash || location.pathname + location.search;
  return {
    platform: /Mac|iPhone|iPad/.test(navigator.platform) ? 'mac' : 'other',
    storage: {
      get length() {
        return localStorage.length;
      },
      key: (index) => localStorage.key(index),
      getItem: (key) => localStorage.getItem(key),
      setItem: (key, value) => localStorage.setItem(key, value),
      removeItem: (key) => localStorage.removeItem(key),
    },
    address: {
      page: () => location.href.replace(/#.*$/, ''),
      hash: () => location.hash,
      push: (hash) => history.pushState(null, '', addressFor(hash)),
      replace: (hash) => history.replaceState(null, '', addressFor(hash)),
      onMove: (listener) => addEventListener('popstate', listener),
      reload: () => location.reload(),
    },
    focus: {
      whenFree: (region) => focusWhenFree(document, region),
      region: (name) => focusRegion(document, name),
      nextRegion: (direction) => focusNextRegion(document, direction),
      composer: () => focusComposer(document),
    },
    showTheme: (theme) => {
      if (theme) root.dataset['theme'] = theme;
      else delete root.dataset['theme'];
    },
    showDensity: (density) => {
      root.dataset['density'] = density;
    },
    moreContrast: matchMedia('(prefers-contrast: more)'),
    now: () => Date.now(),
    nextFrame: createNextFrame(),
    after: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    copy: (text) => navigator.clipboard.writeText(text),
    download,
    canPickFolders: canPickFolders(window),
    choose: (what) => (what === 'folder' ? chooseFolderFiles() : chooseFile(`${ARCHIVE_ENDINGS},application/zip`)),
    estimate: () => navigator.storage.estimate(),
    onKey,
    onDrop,
    outside: async () => (await import('../desk/browser-outside.ts')).browserOutside(),
    keepOffline: (onUpdate) => {
      if (import.meta.env.PROD && 'serviceWorker' in navigator) keepOffline(navigator.serviceWorker, onUpdate);
    },
  };
};
