/** What the host needs of a Starlark engine. `platform/worker` has one; tests may have another. */

export interface SourceRange {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export type FailureKind =
  | 'syntax'
  | 'resolve'
  | 'input'
  | 'runtime'
  | 'host'
  | 'contract'
  | 'value'
  | 'cancelled'
  | 'timeout'
  | 'steps'
  | 'memory'
  | 'engine';

export interface EngineFailure {
  readonly kind: FailureKind;
  /** Of a host that refused a call. */
  readonly code?: string;
  readonly message: string;
  readonly file?: string;
  readonly range?: SourceRange;
}

export type EngineResult =
  | { readonly ok: true; readonly valueJson: string; readonly valueType: string }
  | { readonly ok: false; readonly error: EngineFailure };

export interface EngineCall {
  readonly fn: 'ask' | 'command';
  /** `{"prompt": …, "opts": {…}}` or `{"argv": …, "argvType": …, "opts": {…}}`. */
  readonly argsJson: string;
  readonly range?: SourceRange;
}

export type EngineReply =
  | { readonly ok: true; readonly valueJson: string }
  | { readonly ok: false; readonly code: string; readonly message: string };

export interface EngineHandlers {
  readonly call: (call: EngineCall) => Promise<EngineReply>;
  readonly trace: (kind: string, dataJson: string, range: SourceRange | undefined) => void;
  readonly print: (text: string, range: SourceRange | undefined) => void;
}

export interface EngineRun {
  readonly result: Promise<EngineResult>;
  readonly cancel: () => void;
  /** The wall clock stands still while a person is waited for; call what comes back to go on. */
  readonly hold: () => () => void;
}

export interface StarlarkEngine {
  readonly run: (
    request: {
      readonly file: string;
      readonly source: string;
      readonly inputJson: string;
      readonly timeoutMs: number;
    },
    handlers: EngineHandlers,
  ) => EngineRun;
}
