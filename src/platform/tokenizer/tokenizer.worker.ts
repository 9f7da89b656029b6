import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { createTokenCounter } from '../../model/tokenizer/token-counter.ts';
import { reportCrash, serveRpc } from '../worker/rpc-server.ts';
import { scopePort } from '../worker/scope-port.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;
const port = scopePort(scope);

scope.addEventListener('unhandledrejection', (event) =>
  reportCrash(port, { kind: 'lost', message: String(event.reason) }),
);

/** Text such as `<|endoftext|>` is plain text here: it comes from files and people. */
const PLAIN = { disallowedSpecial: new Set<string>() };
const counter = createTokenCounter((text) => countTokens(text, PLAIN));

serveRpc(port, { count: (texts) => (texts as readonly string[]).map(counter) });
