// The composition root: the only file that wires things together.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/base.css';
import { createTheme } from './app/theme.ts';
import { Workbench } from './app/workbench.tsx';
import { createWorkspaceStore } from './stores/workspace-store.ts';

const theme = createTheme({
  storage: {
    getItem: (key) => localStorage.getItem(key),
    setItem: (key, value) => localStorage.setItem(key, value),
  },
  show: (name) => {
    if (name) document.documentElement.dataset['theme'] = name;
    else delete document.documentElement.dataset['theme'];
  },
  moreContrast: matchMedia('(prefers-contrast: more)'),
});

const workspace = createWorkspaceStore({
  // The model comes after the first paint.
  load: async () => {
    const { openDemo } = await import('./platform/fs/open-demo.ts');
    return openDemo(new URL('demo/', document.baseURI), (input, init) => fetch(input, init));
  },
});

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root".');
createRoot(root).render(
  <StrictMode>
    <Workbench theme={theme} workspace={workspace} />
  </StrictMode>,
);
void workspace.open();
