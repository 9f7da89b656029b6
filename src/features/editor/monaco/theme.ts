/** The colors of the editor, taken from `tokens.css` as they are in the page now. */
import { monaco } from './setup.ts';
import { SYNTAX } from './syntax-colours.ts';

const hex = (value: number): string => Math.round(value).toString(16).padStart(2, '0');

/** `rgb(1 2 3 / 50%)` and `rgba(1, 2, 3, 0.5)` as `#rrggbbaa`. */
const toHex = (color: string): string => {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+%?/g) ?? []).map((part) =>
    part.endsWith('%') ? Number(part.slice(0, -1)) / 100 : Number(part),
  );
  return `#${hex(red)}${hex(green)}${hex(blue)}${alpha < 1 ? hex(alpha * 255) : ''}`;
};

const withAlpha = (color: string, alpha: string): string => `${color.slice(0, 7)}${alpha}`;

const brightness = (color: string): number =>
  [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(color.slice(at, at + 2), 16), 0) / 3;

/** Reads tokens where `element` stands. */
const tokensAt = (element: Element): ((name: string) => string) => {
  const probe = document.createElement('span');
  probe.style.display = 'none';
  element.append(probe);
  const style = getComputedStyle(probe);
  return (name) => {
    if (name === '') {
      probe.remove();
      return '';
    }
    probe.style.color = `var(${name})`;
    return toHex(style.color);
  };
};

/** Defines the theme again and uses it. Called whenever the page's theme changes. */
export const applyTheme = (element: Element): void => {
  const token = tokensAt(element);
  const isDark = brightness(token('--bg-1')) < 128;
  const isContrast = document.documentElement.dataset['theme'] === 'contrast';
  const syntax = SYNTAX[isContrast ? (isDark ? 'contrastDark' : 'contrastLight') : isDark ? 'dark' : 'light'];
  const [text, quiet, accent] = [token('--text-1'), token('--text-3'), token('--accent')];
  const rule = (name: string, color: string, fontStyle?: string) => ({
    token: name,
    foreground: color.slice(1, 7),
    ...(fontStyle !== undefined && { fontStyle }),
  });
  monaco.editor.defineTheme('lathe', {
    base: isContrast ? (isDark ? 'hc-black' : 'hc-light') : isDark ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      rule('', text),
      rule('keyword', syntax.keyword),
      rule('constant', syntax.number),
      // The bases have colors of their own for these, too faint to read.
      rule('operator.sql', syntax.keyword),
      rule('predefined.sql', accent),
      rule('number', syntax.number),
      rule('string', syntax.string),
      rule('string.escape', syntax.number),
      rule('comment', quiet),
      rule('function', accent),
      rule('function.host', accent, 'bold'),
      rule('identifier', text),
      rule('delimiter', token('--text-2')),
      rule('invalid', token('--error')),
      rule('type', accent),
      rule('type.yaml', accent),
      rule('string.yaml', syntax.string),
      rule('number.yaml', syntax.number),
      rule('keyword.md', accent, 'bold'),
      rule('string.link.md', accent),
      rule('variable.md', syntax.string),
      rule('string.md', syntax.string),
      rule('meta.frontmatter', quiet),
      rule('tag', accent),
      rule('attribute.name', syntax.keyword),
      rule('attribute.value', syntax.string),
    ],
    colors: {
      'editor.background': token('--bg-1'),
      'editor.foreground': text,
      'editorLineNumber.foreground': quiet,
      'editorLineNumber.activeForeground': token('--text-1'),
      'editor.lineHighlightBackground': token('--bg-2'),
      'editor.lineHighlightBorder': isContrast ? token('--line') : '#00000000',
      'editor.selectionBackground': withAlpha(accent, isContrast ? '66' : '3d'),
      'editor.inactiveSelectionBackground': withAlpha(accent, '26'),
      'editorCursor.foreground': accent,
      // In high contrast lines are as bright as text; between words they would read as one more sign.
      'editorIndentGuide.background1': isContrast ? token('--bg-3') : token('--line'),
      'editorIndentGuide.activeBackground1': token('--line-strong'),
      'editorWidget.background': token('--bg-2'),
      'editorWidget.foreground': text,
      'editorWidget.border': token('--line-strong'),
      'editorHoverWidget.background': token('--bg-2'),
      'editorHoverWidget.foreground': text,
      'editorHoverWidget.border': token('--line-strong'),
      'editorSuggestWidget.background': token('--bg-2'),
      'editorSuggestWidget.foreground': text,
      'editorSuggestWidget.border': token('--line-strong'),
      'editorSuggestWidget.selectedBackground': token('--accent-bg'),
      'editorSuggestWidget.selectedForeground': text,
      'editorSuggestWidget.highlightForeground': accent,
      'editorSuggestWidget.focusHighlightForeground': accent,
      'editorSuggestWidget.selectedIconForeground': text,
      'list.hoverBackground': token('--bg-3'),
      'list.focusBackground': token('--accent-bg'),
      'list.focusForeground': text,
      'list.highlightForeground': accent,
      'quickInput.background': token('--bg-2'),
      'quickInput.foreground': text,
      'quickInputList.focusBackground': token('--accent-bg'),
      'quickInputList.focusForeground': text,
      'input.background': token('--bg-0'),
      'input.foreground': text,
      'input.border': token('--line-strong'),
      'menu.background': token('--bg-2'),
      'menu.foreground': text,
      'menu.border': token('--line-strong'),
      'menu.selectionBackground': token('--accent-bg'),
      'menu.selectionForeground': text,
      'menu.separatorBackground': token('--line'),
      'textLink.foreground': accent,
      'textLink.activeForeground': accent,
      'textCodeBlock.background': token('--bg-3'),
      focusBorder: accent,
      'editorError.foreground': token('--error'),
      'editorWarning.foreground': token('--warning'),
      'editorInfo.foreground': accent,
      'editorHint.foreground': quiet,
      'editorGutter.background': token('--bg-1'),
      'editorLink.activeForeground': accent,
      'editorBracketMatch.background': withAlpha(accent, '26'),
      'editorBracketMatch.border': withAlpha(accent, '80'),
      'editor.wordHighlightBackground': withAlpha(accent, '26'),
      'editor.findMatchBackground': withAlpha(token('--write'), '66'),
      'editor.findMatchHighlightBackground': withAlpha(token('--write'), '33'),
      'scrollbarSlider.background': withAlpha(token('--line-strong'), '99'),
      'scrollbarSlider.hoverBackground': token('--line-strong'),
      'scrollbarSlider.activeBackground': quiet,
      'scrollbar.shadow': '#00000000',
      'diffEditor.insertedTextBackground': withAlpha(token('--read'), '33'),
      'diffEditor.removedTextBackground': withAlpha(token('--error'), '33'),
      'diffEditor.insertedLineBackground': withAlpha(token('--read'), '1a'),
      'diffEditor.removedLineBackground': withAlpha(token('--error'), '1a'),
      'diffEditor.unchangedRegionBackground': token('--bg-2'),
      'diffEditor.unchangedRegionForeground': token('--text-2'),
      'widget.shadow': isDark ? '#00000066' : '#14203233',
    },
  });
  token('');
  monaco.editor.setTheme('lathe');
};
