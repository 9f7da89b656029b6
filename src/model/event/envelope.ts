/** Who speaks in an event, and how private it is. */

export const SENSITIVITIES = ['private', 'user_controlled', 'pseudonymous', 'aggregatable'] as const;
/** From the most private to the least. */
export type Sensitivity = (typeof SENSITIVITIES)[number];

export const ACTORS = ['user', 'agent', 'system', 'tool', 'worker'] as const;
export type Actor = (typeof ACTORS)[number];
