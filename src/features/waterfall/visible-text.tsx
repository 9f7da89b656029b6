import styles from './visible-text.module.css';

/** A text of which every character can be seen: line breaks, tabs, and spaces at the end of a line have signs. */
export const VisibleText = ({ text }: { readonly text: string }) =>
  text.split(/(\r\n|\n|\r|\t|(?<! ) +(?=\r|\n|$))/).map((part, index) => {
    // Every second part is what the pattern found. Two equal parts differ in nothing but their place.
    const key = `${index}`;
    if (index % 2 === 0) return part;
    const sign = part.replaceAll(' ', '·').replace('\t', '⇥').replace('\r', '␍').replace('\n', '⏎');
    return (
      <span key={key}>
        <span className={styles['sign']} aria-hidden="true">
          {sign}
        </span>
        {part.includes('\n') ? '\n' : null}
      </span>
    );
  });
