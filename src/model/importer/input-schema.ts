import type { Json } from '../../base/json.ts';
import type { ExecutorArgument, ExecutorPlan } from './types.ts';

const typeOf = ({ type, name, choices, default: fallback, description }: ExecutorArgument): Json => ({
  type: type === 'date' || type === 'datetime' ? 'string' : type,
  description: description.en,
  ...(type === 'date' && { format: 'date' }),
  ...(type === 'datetime' && { format: 'date-time' }),
  ...(type === 'array' && { items: name === 'entries' ? { type: 'object' } : { type: 'string' } }),
  ...(choices && { enum: choices }),
  ...(fallback !== undefined && { default: fallback }),
});

/** What the model is told about the arguments. "One of" is said in words: the schema that tools may use has no such keyword. */
export const inputSchemaOf = ({ args }: Pick<ExecutorPlan, 'args'>): Json => ({
  type: 'object',
  properties: Object.fromEntries(args.map((arg) => [arg.name, typeOf(arg)])),
  required: args.filter(({ required }) => required).map(({ name }) => name),
  additionalProperties: false,
});
