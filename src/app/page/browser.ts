/** What a page takes from the browser that it runs in. Tests have one in memory. */
import type { AddressBar } from '../address/navigation.ts';
import type { Situation } from '../commands/keyboard.ts';
import type { KeyPress, Platform } from '../commands/keymap.ts';
import type { Outside } from '../desk/outside.ts';
import type { ThemeDeps } from '../shell/theme.ts';

/** Each access may throw: a browser can block storage. */
export type PageStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

/** What is dropped onto the page; it is valid only while it is being handed over. */
export type DroppedItems = Iterable<DataTransferItem>;

export interface Address extends AddressBar {
  /** Of the page, without what is behind `#`. */
  readonly page: () => string;
  readonly reload: () => void;
}

export interface Focus {
  /** Into a region, as soon as no dialog is open, unless the focus has found a place by itself. */
  readonly whenFree: (region: string) => void;
  /** Into a region, wherever the focus is. */
  readonly region: (name: string) => void;
  readonly nextRegion: (direction: 1 | -1) => void;
  readonly composer: () => void;
}

export interface Browser {
  readonly platform: Platform;
  readonly storage: PageStorage;
  readonly address: Address;
  readonly focus: Focus;
  /** On the root element; the colors and sizes themselves are in tokens.css. */
  readonly showTheme: ThemeDeps['show'];
  readonly showDensity: (density: string) => void;
  readonly moreContrast: ThemeDeps['moreContrast'];
  /** In ms since 1970. */
  readonly now: () => number;
  readonly nextFrame: (callback: () => void) => void;
  /** Calling the answer takes it back. */
  readonly after: (ms: number, work: () => void) => () => void;
  /** Rejects where the browser does not allow it. */
  readonly copy: (text: string) => Promise<void>;
  readonly download: (name: string, content: string | Uint8Array, type: string) => void;
  /** Whether a folder can be opened in place; elsewhere it is copied. */
  readonly canPickFolders: boolean;
  /** Empty if the person chose nothing. */
  readonly choose: (what: 'folder' | 'archive') => Promise<readonly File[]>;
  /** What the browser counts for this page, in bytes. */
  readonly estimate: () => Promise<{ readonly usage?: number; readonly quota?: number }>;
  /** The listener says whether the press was for it; it then goes nowhere else. */
  readonly onKey: (listener: (press: KeyPress, situation: Situation) => boolean) => void;
  readonly onDrop: (listener: (items: DroppedItems) => void) => void;
  /** For the desk; it comes later than the first paint. */
  readonly outside: () => Promise<Outside>;
  /** Keeps the page for a visit without a network, where the browser can; tells of a new version. */
  readonly keepOffline: (onUpdate: (reload: () => void) => void) => void;
}
