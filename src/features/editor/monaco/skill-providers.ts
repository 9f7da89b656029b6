/** What Monaco asks about a SKILL.md, answered by `model/skill/language`. */
import { readDocument } from '../../../model/skill/document.ts';
import { MOST_AT_ONCE } from '../../../model/skill/weight.ts';
import { completeSkill, type Completion } from '../../../model/skill/language/completion.ts';
import { hoverSkill } from '../../../model/skill/language/hover.ts';
import { linksOf } from '../../../model/skill/language/links.ts';
import { outlineOf, type OutlineItem } from '../../../model/skill/language/outline.ts';
import type { Surroundings } from '../needs.ts';
import { TextPositions } from '../text-positions.ts';
import { monaco } from './setup.ts';
import { suggestionOf } from './suggestion.ts';

export interface SkillLanguageDeps {
  /** Of the file that a model shows. */
  readonly surroundings: (model: monaco.editor.ITextModel) => Surroundings | undefined;
}

const KINDS: Readonly<Record<Completion['kind'], monaco.languages.CompletionItemKind>> = {
  field: monaco.languages.CompletionItemKind.Property,
  value: monaco.languages.CompletionItemKind.Value,
  tool: monaco.languages.CompletionItemKind.Function,
  skill: monaco.languages.CompletionItemKind.Reference,
  file: monaco.languages.CompletionItemKind.File,
  snippet: monaco.languages.CompletionItemKind.Snippet,
};

const SYMBOLS: Readonly<Record<OutlineItem['kind'], monaco.languages.SymbolKind>> = {
  frontmatter: monaco.languages.SymbolKind.Namespace,
  field: monaco.languages.SymbolKind.Property,
  heading: monaco.languages.SymbolKind.String,
};

/** Links of ours have this scheme; the owner opens them. */
export const LINK_SCHEME = 'lathe-open';

export const registerSkillLanguage = ({ surroundings }: SkillLanguageDeps): readonly Disposable[] => {
  const { languages } = monaco;
  const registered = [
    languages.registerCompletionItemProvider('skill', {
      triggerCharacters: ['[', '(', '/', ':', ' '],
      provideCompletionItems: (model, position) => {
        const facts = surroundings(model);
        if (!facts) return { suggestions: [] };
        const text = model.getValue();
        const places = new TextPositions(text);
        const items = completeSkill(text, model.getOffsetAt(position), facts);
        return {
          suggestions: items.map((item, index) =>
            suggestionOf(item, {
              kind: KINDS[item.kind],
              index,
              range: places.range(item.range),
              next: item.goesOn ? 'editor.action.triggerSuggest' : undefined,
            }),
          ),
        };
      },
    }),
    languages.registerHoverProvider('skill', {
      provideHover: (model, position) => {
        const facts = surroundings(model);
        const text = model.getValue();
        const hover = facts && hoverSkill(text, model.getOffsetAt(position), facts);
        return hover && { contents: [{ value: hover.text }], range: new TextPositions(text).range(hover.range) };
      },
    }),
    languages.registerDocumentSymbolProvider('skill', {
      displayName: 'Outline',
      provideDocumentSymbols: (model) => {
        const text = model.getValue();
        const places = new TextPositions(text);
        const symbol = (item: OutlineItem): monaco.languages.DocumentSymbol => ({
          name: item.name === '' ? '(empty)' : item.name,
          detail: item.detail,
          kind: SYMBOLS[item.kind],
          tags: [],
          range: places.range(item.range),
          selectionRange: places.range(item.nameRange),
          children: item.children.map(symbol),
        });
        return outlineOf(text).map(symbol);
      },
    }),
    languages.registerLinkProvider('skill', {
      provideLinks: (model) => {
        const text = model.getValue();
        // Monaco asks again after every key, and waits for no worker.
        if (text.length > MOST_AT_ONCE) return { links: [] };
        const places = new TextPositions(text);
        const links = linksOf(readDocument({ content: text, fileName: 'SKILL.md' }));
        return {
          links: links.flatMap(({ range, target }) => {
            if (target.kind === 'address') return [];
            const url = monaco.Uri.from({
              scheme: LINK_SCHEME,
              authority: target.kind,
              path: `/${target.kind === 'file' ? target.path : target.name}`,
              fragment: model.uri.path,
            });
            const tooltip = target.kind === 'file' ? `Open ${target.path}` : `Open the skill ${target.name}`;
            return [{ range: places.range(range), url, tooltip }];
          }),
        };
      },
    }),
  ];
  return registered.map((item) => ({ [Symbol.dispose]: () => item.dispose() }));
};
