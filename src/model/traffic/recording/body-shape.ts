/** The members of a body that was recorded as text, without parsing it: most bodies begin like the previous one. */
import type { Json, JsonObject } from '../../../base/json.ts';
import { createRecentTexts, rescanJson, type Scanned } from '../../../base/json-rescan.ts';

export type ShapeReader = (body: string) => JsonObject | undefined;

/** Undefined where the text is not a JSON object. Members are parsed when they are asked for. */
export const createShapeReader = (): ShapeReader => {
  const recent = createRecentTexts<Scanned>();
  return (body) => {
    const scan = rescanJson(body, recent.likest(body));
    if (!scan.ok || scan.value.kind !== 'object') return undefined;
    recent.add(body, { text: body, root: scan.value });
    const shape = {};
    for (const { key, value } of scan.value.members)
      Object.defineProperty(shape, key, {
        enumerable: true,
        configurable: true,
        get: (): Json => JSON.parse(body.slice(value.start, value.end)) as Json,
      });
    return shape;
  };
};
