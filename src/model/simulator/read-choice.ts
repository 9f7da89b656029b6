/** What a request of an OpenAI wire says about which tools may, or have to, be called. */
import type { Json } from '../../base/json.ts';
import { fieldsOf, listOf, textOf } from './json-read.ts';
import type { SimConversation } from './types.ts';

/** Chat has them one level deeper. */
const allowedOf = (choice: Json | undefined) => {
  const fields = fieldsOf(choice);
  if (fields['type'] !== 'allowed_tools') return undefined;
  return fieldsOf(fields['allowed_tools'] ?? choice);
};

export const allowedTools = (choice: Json | undefined): readonly Json[] => listOf(allowedOf(choice)?.['tools']);

export const chosenName = (value: Json | undefined): string => {
  const fields = fieldsOf(value);
  return textOf(fields['name']) || textOf(fieldsOf(fields['function'] ?? fields['custom'])['name']);
};

export const readChoice = (value: Json | undefined): SimConversation['toolChoice'] => {
  const allowed = allowedOf(value);
  if (value === 'required' || allowed?.['mode'] === 'required') return 'any';
  if (value === 'none') return 'none';
  const name = allowed ? '' : chosenName(value);
  return name === '' ? 'auto' : { name };
};

/** Whether a tool may be called at all. */
export const isAllowed = (choice: Json | undefined, name: string): boolean => {
  const allowed = allowedOf(choice);
  return !allowed || listOf(allowed['tools']).some((tool) => chosenName(tool) === name);
};
