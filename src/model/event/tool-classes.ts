/** The words with which events tell what tools do and how they fail. Tools use the same, so that a journal needs no translation. */

export const SIDE_EFFECTS = ['none', 'read', 'write', 'execute', 'network'] as const;
export type SideEffects = (typeof SIDE_EFFECTS)[number];

export const TOOL_ERROR_CLASSES = [
  'timeout',
  'permission_denied',
  'not_found',
  'validation_error',
  'execution_error',
  'cancelled',
  'user_denied',
  'confirmation_timeout',
] as const;
export type ToolErrorClass = (typeof TOOL_ERROR_CLASSES)[number];
