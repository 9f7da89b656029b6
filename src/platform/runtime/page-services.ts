/** The services of the page itself: the browser's database, its network, its clock. */
import type { Log } from '../../base/log.ts';
import type { Tokenizer } from '../../model/provider/types.ts';
import type { StarlarkEngine } from '../../model/starlark/engine.ts';
import type { HostLog } from '../provider/host-log.ts';
import type { Storage } from '../store/storage.ts';
import { createSessionServices, type SessionServices } from './session-services.ts';

export interface PageServicesDeps {
  /** Opened once for the whole page. */
  readonly storage: Storage;
  readonly hosts: HostLog;
  readonly log: Log;
  /** Both are shared with the editor. */
  readonly engine: () => Promise<StarlarkEngine | undefined>;
  readonly tokenizer: Tokenizer;
  readonly speed?: number;
  readonly onStorageError: (thrown: unknown) => void;
}

export const openPageServices = (deps: PageServicesDeps): Promise<SessionServices> =>
  createSessionServices({
    ...deps,
    crypto: globalThis.crypto,
    fetch: (input, init) => fetch(input, init),
    pageOrigin: { protocol: location.protocol, host: location.host },
    now: () => Date.now(),
    random: () => Math.random(),
  });
