import { useMemo } from 'react';
import { readDocument } from '../../model/skill/document.ts';
import { fieldText, readTools } from '../../model/skill/fields.ts';
import { findProgram } from '../../model/skill/metaskill-package.ts';
import { Badge } from '../../ui/badge.tsx';
import { MarkdownView, type MarkdownActions } from './markdown-view.tsx';
import styles from './rendered-face.module.css';

export type RenderedFaceProps = {
  readonly text: string;
  readonly isSkill: boolean;
  readonly hasProgram: boolean;
  readonly actions: MarkdownActions;
};

const cardOf = (text: string) => {
  const document = readDocument({ content: text, fileName: 'SKILL.md' });
  return {
    name: fieldText(document, 'name', '1.2'),
    description: fieldText(document, 'description', '1.2'),
    license: fieldText(document, 'license', '1.2'),
    compatibility: fieldText(document, 'compatibility', '1.2'),
    tools: readTools(document),
    isMetaskill: findProgram(document).declared,
    isUnread: document.root === undefined,
    body: document.body,
  };
};

/** The text as a person reads it: what the frontmatter says, then the body. */
export const RenderedFace = ({ text, isSkill, hasProgram, actions }: RenderedFaceProps) => {
  const card = useMemo(() => (isSkill ? cardOf(text) : undefined), [text, isSkill]);
  if (!card) return <MarkdownView text={text} {...actions} />;
  return (
    <>
      <header className={styles['card']}>
        <p className={styles['name']}>
          {card.name ?? (card.isUnread ? 'Unreadable frontmatter' : 'No name')}{' '}
          {(hasProgram || card.isMetaskill) && <Badge tone="accent">metaskill</Badge>}
        </p>
        <p className={styles['description']}>
          {card.description ??
            (card.isUnread
              ? 'Its YAML is invalid or missing. See Problems for the place and the fix.'
              : 'No description, so a model can’t know when to use this skill.')}
        </p>
        {(card.tools.length > 0 || card.license !== undefined || card.compatibility !== undefined) && (
          <dl className={styles['facts']}>
            {card.tools.length > 0 && (
              <>
                <dt>Allowed tools</dt>
                <dd className={styles['tools']}>
                  {card.tools.map((tool) => (
                    <code key={tool}>{tool}</code>
                  ))}
                </dd>
              </>
            )}
            {card.compatibility !== undefined && (
              <>
                <dt>Needs</dt>
                <dd>{card.compatibility}</dd>
              </>
            )}
            {card.license !== undefined && (
              <>
                <dt>License</dt>
                <dd>{card.license}</dd>
              </>
            )}
          </dl>
        )}
      </header>
      {card.body.trim() === '' ? (
        <p className={styles['empty']}>The body is empty, so loading this skill adds nothing.</p>
      ) : (
        <MarkdownView text={card.body} {...actions} />
      )}
    </>
  );
};
