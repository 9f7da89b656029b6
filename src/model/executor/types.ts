/** Executors as a session has them. */
import type { CommandAnswer } from '../metaskill/host-types.ts';
import type { Files } from '../signing/digest.ts';

/** One run of an executor's Python. The files are the verified ones, and the only ones there are. */
export interface PythonRequest {
  readonly files: Files;
  /** Path of the program among them. */
  readonly entry: string;
  readonly stdin: string;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  readonly setWaiting: (waiting: boolean) => void;
}

export type PythonRunner = (request: PythonRequest) => Promise<CommandAnswer>;

export const CREDENTIAL_STATES = ['configured', 'expired', 'missing'] as const;
export type CredentialState = (typeof CREDENTIAL_STATES)[number];

/** What may be told about a credential. */
export interface CredentialFacts {
  readonly binding: string;
  readonly fingerprint: string;
  readonly fields: readonly string[];
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  readonly state: Exclude<CredentialState, 'missing'>;
}

export type CredentialValues = Readonly<Record<string, string>>;

/** The vault, as executors see it. Values go to a program's input and nowhere else. */
export interface CredentialStore {
  readonly list: () => readonly CredentialFacts[];
  /** Nothing while the vault is locked. */
  readonly values: (binding: string) => CredentialValues | undefined;
  /** Says why it could not be kept. */
  readonly save: (binding: string, values: CredentialValues, expiresAt?: number) => Promise<string | undefined>;
  readonly expire: (binding: string) => Promise<void>;
  readonly remove: (binding: string) => Promise<boolean>;
}

export interface InputField {
  readonly name: string;
  readonly prompt: string;
  readonly kind: 'api_key' | 'token' | 'file' | 'text';
}

export interface InputForm {
  readonly executor: string;
  readonly binding: string;
  readonly title: string;
  readonly fields: readonly InputField[];
  /** Why it is asked for. */
  readonly reason: 'missing' | 'expired';
  readonly signal: AbortSignal;
}

/** Shows a form to a person. Nothing: they closed it. */
export type AskInputs = (form: InputForm) => Promise<CredentialValues | undefined>;
