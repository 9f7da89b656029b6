import type { ClientId, Listing } from '../../model/clients/types.ts';
import type { CompareStarts } from '../../model/preview/edit-cost.ts';
import type { PreviewContext } from '../../model/preview/edited.ts';
import type { Tokenizer } from '../../model/provider/types.ts';

/** What the preview may use from outside. */
export interface PreviewSettings {
  /** Counts as a model does; the numbers get better when it is there. */
  readonly tokenizer?: Tokenizer;
  /** Puts two starts of a session to the forecast, with what sessions have left in the cache. */
  readonly compare?: CompareStarts;
  /** Where typed prompts are remembered. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'>;
  /** Gets a remote image after the person asked for it; by default with `fetch`, without credentials and referrer. */
  readonly loadImage?: (url: string) => Promise<Blob>;
  /** What an agent lists of the open folder with the text as it is typed. */
  readonly listing?: (client: ClientId) => Promise<Listing | undefined>;
}

/** What the preview asks the editor around it for. */
export interface PreviewNeeds {
  /** Of a SKILL.md. */
  readonly previewContext: (path: string) => PreviewContext | undefined;
  /** The folder is not read yet: which skills it has is unknown. */
  readonly isReading?: () => boolean;
  /** Opens the skill of that name. */
  readonly openSkill: (name: string) => void;
  /** The bytes of any file, for images. */
  readonly readFile?: (path: string) => Promise<Uint8Array | undefined>;
}
