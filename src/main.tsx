// The composition root: the only file that wires things together.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/base.css';
import { Shell } from './app/shell.tsx';
import { createTheme } from './app/theme.ts';

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

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root".');
createRoot(root).render(
  <StrictMode>
    <Shell theme={theme} />
  </StrictMode>,
);
