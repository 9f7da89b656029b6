// Loaded when somebody asks for help: the pages and the Markdown renderer are not part of the first load.
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import activationBudget from '../../../docs/help/activation-budget.md?raw';
import cacheWaterfall from '../../../docs/help/cache-waterfall.md?raw';
import changes from '../../../docs/help/changes.md?raw';
import editor from '../../../docs/help/editor.md?raw';
import eventStream from '../../../docs/help/event-stream.md?raw';
import importPage from '../../../docs/help/import.md?raw';
import library from '../../../docs/help/library.md?raw';
import log from '../../../docs/help/log.md?raw';
import metaskillRun from '../../../docs/help/metaskill-run.md?raw';
import overview from '../../../docs/help/overview.md?raw';
import prefix from '../../../docs/help/prefix.md?raw';
import problems from '../../../docs/help/problems.md?raw';
import sandbox from '../../../docs/help/sandbox.md?raw';
import session from '../../../docs/help/session.md?raw';
import settings from '../../../docs/help/settings.md?raw';
import start from '../../../docs/help/start.md?raw';
import { type HelpTopic, isHelpTopic } from './help-topics.ts';
import styles from './help-page.module.css';

const pages: Readonly<Record<HelpTopic, string>> = {
  start,
  library,
  editor,
  session,
  overview,
  prefix,
  'cache-waterfall': cacheWaterfall,
  'activation-budget': activationBudget,
  'event-stream': eventStream,
  'metaskill-run': metaskillRun,
  problems,
  changes,
  log,
  sandbox,
  import: importPage,
  settings,
};

export type HelpPageProps = { readonly topic: HelpTopic; readonly onTopic: (topic: HelpTopic) => void };

/** The dialog has the title; a link such as `problems.md` goes to that page. */
const elements = (onTopic: HelpPageProps['onTopic']): Components => ({
  h1: () => null,
  h2: ({ children }) => <h3>{children}</h3>,
  a: ({ href = '', children }) => {
    const target = href.replace(/\.md$/, '');
    return isHelpTopic(target) ? (
      <button type="button" className={styles['link']} onClick={() => onTopic(target)}>
        {children}
      </button>
    ) : (
      <a href={href} target="_blank" rel="noreferrer">
        {children}
      </a>
    );
  },
});

const HelpPage = ({ topic, onTopic }: HelpPageProps) => (
  <div className={styles['page']}>
    <Markdown remarkPlugins={[remarkGfm]} components={elements(onTopic)}>
      {pages[topic]}
    </Markdown>
  </div>
);

export default HelpPage;
