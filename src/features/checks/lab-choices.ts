/** What was chosen in the trigger lab, so that a page that is opened again finds its run. */
import { useState } from 'react';
import { CLIENT_IDS, type ClientId } from '../../model/clients/types.ts';
import { isObject, parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';

export const REPEATS = ['1', '3', '5', '10', '20'] as const;
export const OWN = 'own';

export interface LabChoices {
  readonly repeats: (typeof REPEATS)[number];
  /** Lathe's own, or an agent's. */
  readonly listing: typeof OWN | ClientId;
  readonly isNoisy: boolean;
}

export type LabStorage = Pick<Storage, 'getItem' | 'setItem'>;

const KEY = 'lathe.trigger-lab';
const FIRST: LabChoices = { repeats: '5', listing: OWN, isNoisy: false };

const stored = (storage: LabStorage | undefined): LabChoices => {
  let text: string | null | undefined;
  try {
    text = storage?.getItem(KEY);
  } catch {
    // Blocked storage: choices are kept as long as the page is open.
  }
  const json = valueOr(parseJson(text ?? ''), undefined);
  if (!isObject(json)) return FIRST;
  return {
    repeats: REPEATS.find((count) => count === json['repeats']) ?? FIRST.repeats,
    listing: CLIENT_IDS.find((id) => id === json['listing']) ?? FIRST.listing,
    isNoisy: json['isNoisy'] === true,
  };
};

export const useLabChoices = (
  storage: LabStorage | undefined,
): readonly [LabChoices, (change: Partial<LabChoices>) => void] => {
  const [choices, setChoices] = useState(() => stored(storage));
  const change = (more: Partial<LabChoices>): void => {
    const next = { ...choices, ...more };
    setChoices(next);
    try {
      storage?.setItem(KEY, JSON.stringify(next));
    } catch {
      // As above.
    }
  };
  return [choices, change];
};
