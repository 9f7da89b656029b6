import type { Tokenizer } from '../../model/provider/types.ts';

/** What the preview may use from outside. */
export interface PreviewSettings {
  /** Counts as a model does; the figures get better when it is there. */
  readonly tokenizer?: Tokenizer;
  /** Where typed prompts are remembered. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'>;
  /** Gets a remote picture after the person asked for it; by default with `fetch`, without credentials and referrer. */
  readonly loadImage?: (url: string) => Promise<Blob>;
}
