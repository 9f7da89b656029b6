/** Methods of strings and lists that both languages have, on strings that are written out. */
import type { CallSite } from './language.ts';
import { allMarks, concat, HOLE, joinMarks, knownText, mapTexts, textValue, withMarks, type Value } from './value.ts';

const same = new Set([
  'decode',
  'encode',
  'strip',
  'trim',
  'rstrip',
  'lstrip',
  'toString',
  'toLowerCase',
  'lower',
  'copy',
  'as_posix',
  'expanduser',
  'resolve',
  'absolute',
  'hex',
  'valueOf',
  'buffer',
  'normalize',
]);

const join = (separator: string, list: Value): Value | undefined => {
  const { items } = list;
  if (!items) return undefined;
  return withMarks(
    concat(items.flatMap((item, index) => (index === 0 || separator === '' ? [item] : [textValue(separator), item]))),
    list.marks,
  );
};

const asList = (value: Value, change: (text: string) => readonly string[]): Value => {
  const text = knownText(value);
  return {
    marks: allMarks(value),
    texts: [],
    ...(text !== undefined && { items: change(text).slice(0, 20_000).map(textValue) }),
  };
};

/** Nothing if the method is none of these, or nothing is known. */
export const textMethod = (site: CallSite): Value | undefined => {
  const { method, receiver, args } = site;
  const [first, second] = args;
  if (same.has(method) && receiver.texts.length > 0)
    return mapTexts(receiver, (text) =>
      method === 'lower' || method === 'toLowerCase'
        ? text.toLowerCase()
        : method.includes('trim') || method.includes('strip')
          ? text.trim()
          : text,
    );
  switch (method) {
    case 'upper':
    case 'toUpperCase':
      return mapTexts(receiver, (text) => text.toUpperCase());
    case 'join': {
      // Python: separator.join(list); JavaScript: list.join(separator).
      if (first?.items && receiver.texts.length > 0) return join(receiver.texts[0] ?? '', first);
      if (receiver.items) return join(first ? (knownText(first) ?? HOLE) : ',', receiver);
      return undefined;
    }
    case 'replace':
    case 'replaceAll': {
      const from = knownText(first);
      const to = knownText(second);
      if (from === undefined || to === undefined || from === '' || receiver.texts.length === 0) return undefined;
      return mapTexts(receiver, (text) => text.replaceAll(from, to));
    }
    case 'split': {
      const by = knownText(first);
      return receiver.texts.length > 0
        ? asList(receiver, (text) => (first ? text.split(by ?? HOLE) : text.split(/\s+/)))
        : undefined;
    }
    case 'reverse':
    case 'toReversed':
      return receiver.items ? { ...receiver, items: receiver.items.toReversed() } : undefined;
    case 'concat':
      return receiver.texts.length > 0 || receiver.items ? concat([receiver, ...args]) : undefined;
    case 'charAt':
    case 'slice':
    case 'substring':
    case 'substr': {
      const from = Number(knownText(first) ?? Number.NaN);
      const to = second ? Number(knownText(second) ?? Number.NaN) : undefined;
      if (Number.isNaN(from) || Number.isNaN(to) || receiver.texts.length === 0) return undefined;
      if (method === 'charAt') return mapTexts(receiver, (text) => text.charAt(from));
      const end = method === 'substr' && to !== undefined ? from + to : to;
      return mapTexts(receiver, (text) => text.slice(from, end));
    }
    case 'format': {
      if (receiver.texts.length === 0) return undefined;
      const given = [...args, ...site.named.values()];
      let index = 0;
      return {
        marks: joinMarks([allMarks(receiver), ...given.map(allMarks)]),
        texts: receiver.texts.map((text) =>
          text.replace(/\{(\w*)(?:[!:][^}]{0,200})?\}/g, (_, name: string) => {
            const value = /^\d+$/.test(name) ? args[Number(name)] : (site.named.get(name) ?? args[index++]);
            return value?.texts[0] ?? HOLE;
          }),
        ),
      };
    }
    default:
      return undefined;
  }
};
