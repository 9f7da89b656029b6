/** isomorphic-git reads the global `Buffer` while its module is evaluated, so this comes before it. */
import { Buffer } from 'buffer';

const scope = globalThis as { Buffer?: unknown };
scope.Buffer ??= Buffer;
