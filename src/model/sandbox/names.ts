/** Names that are no plain files on some systems: devices of Windows, other separators, drives. */
const DEVICES = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

export const isReservedName = (name: string): boolean =>
  DEVICES.test(name) || name.includes('\\') || /^[a-z]:/i.test(name);
