// Where the page begins. What it is made of is put together in app/page/create-page.ts.
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/base.css';
import { createPage } from './app/page/create-page.ts';
import { PageView } from './app/page/page-view.tsx';
import { realBrowser } from './app/page/real-browser.ts';

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no element with the id "root".');
const page = createPage(realBrowser());
const root = createRoot(container);
startTransition(() =>
  root.render(
    <StrictMode>
      <PageView page={page} />
    </StrictMode>,
  ),
);
