/** Executors as a session has them. */
import type { CommandAnswer } from '../metaskill/host-types.ts';
import type { Files } from '../signing/digest.ts';

/** One run of an executor's Python. The files are the verified ones, copies of what the arguments name, and no others. */
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
  /** Who it was given to; nothing for one from before owners were kept, which nobody gets. */
  readonly owner: string | undefined;
}

export type CredentialValues = Readonly<Record<string, string>>;

/** The vault, as executors see it. Values go to a program's input and nowhere else. */
export interface CredentialStore {
  readonly list: () => readonly CredentialFacts[];
  /** Nothing while the vault is locked, and nothing for anybody but the owner. */
  readonly values: (binding: string, owner: string) => CredentialValues | undefined;
  /** Every value there is, expired or not: what no result may show. */
  readonly secrets: () => readonly string[];
  /** Says why it could not be kept. */
  readonly save: (
    binding: string,
    values: CredentialValues,
    owner: string,
    expiresAt?: number,
  ) => Promise<string | undefined>;
  /** Only its owner can say that it has expired. */
  readonly expire: (binding: string, owner: string) => Promise<void>;
  readonly remove: (binding: string) => Promise<boolean>;
}

export interface InputField {
  readonly name: string;
  readonly prompt: string;
  readonly kind: 'api_key' | 'token' | 'file' | 'text';
}

export interface InputForm {
  readonly executor: string;
  /** The identity that gets the values, for a person to read. */
  readonly skill: string;
  /** The identity and the files that get them. */
  readonly owner: string;
  readonly binding: string;
  readonly title: string;
  readonly fields: readonly InputField[];
  /** Why it is asked for. */
  readonly reason: 'missing' | 'expired' | 'changed';
  readonly signal: AbortSignal;
}

/** Shows a form to a person. Nothing: they closed it. */
export type AskInputs = (form: InputForm) => Promise<CredentialValues | undefined>;
