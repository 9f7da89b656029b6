// Loaded when somebody asks for help: the pages and the Markdown renderer are not part of the first load.
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import styles from './help-page.module.css';

const pages = import.meta.glob<string>('../../../docs/help/*.md', { query: '?raw', import: 'default', eager: true });

export type HelpPageProps = {
  readonly topic: string;
  /** What following a link to another page does; nothing where there is no such page. */
  readonly onLink: (page: string) => (() => void) | undefined;
};

/** The dialog has the title; a link such as `problems.md` goes to that page. */
const elements = (onLink: HelpPageProps['onLink']): Components => ({
  h1: () => null,
  h2: ({ children }) => <h3>{children}</h3>,
  a: ({ href = '', children }) => {
    const follow = onLink(href.replace(/\.md$/, ''));
    return follow ? (
      <button type="button" className={styles['link']} onClick={follow}>
        {children}
      </button>
    ) : (
      <a href={href} target="_blank" rel="noreferrer">
        {children}
      </a>
    );
  },
});

const HelpPage = ({ topic, onLink }: HelpPageProps) => (
  <div className={styles['page']}>
    <Markdown remarkPlugins={[remarkGfm]} components={elements(onLink)}>
      {pages[`../../../docs/help/${topic}.md`]}
    </Markdown>
  </div>
);

export default HelpPage;
