/** A sum of prices has digits that no price has: $0.0234 would print as 0.023405250000000002. */
const DIGITS = 9;

const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toFixed(DIGITS)) : value;

/** What --json prints: one document with a line end, or one line of it where documents follow each other. */
export const jsonDocument = (value: unknown, indent = 2): string => `${JSON.stringify(value, rounded, indent)}\n`;
