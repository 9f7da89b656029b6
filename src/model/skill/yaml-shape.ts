import type { YamlNode } from './yaml-nodes.ts';

export const isMergeKey = (key: YamlNode): boolean =>
  key.kind === 'scalar' && key.style === 'plain' && key.text === '<<';

/** Column of an offset, from 0. */
export const columnOf = (text: string, offset: number): number => {
  let at = offset;
  while (at > 0 && text[at - 1] !== '\n' && text[at - 1] !== '\r') at--;
  return offset - at;
};
