/** Joins class names; CSS Modules type each as possibly undefined. */
export const cx = (...parts: readonly (string | false | undefined)[]): string => parts.filter(Boolean).join(' ');
