import { describe, expect, it } from 'vitest';
import { remainingCapabilities, removeNames } from './remove-capabilities.ts';

/** Everything that "The command sandbox" of `docs/decisions.md` names. */
const GLOBAL = [
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'WebTransport',
  'EventSource',
  'importScripts',
  'Worker',
  'indexedDB',
  'caches',
  'BroadcastChannel',
];

/** A scope like a worker's: some names its own, some inherited, some that cannot be deleted. */
const scopeWith = (name: string, how: 'own' | 'inherited' | 'getter' | 'fixed'): Record<string, unknown> => {
  const far = {};
  const near = Object.create(far) as object;
  const scope = Object.create(near) as Record<string, unknown>;
  const value = (): string => 'reached';
  if (how === 'own') scope[name] = value;
  if (how === 'inherited') Object.defineProperty(far, name, { value, configurable: true });
  if (how === 'getter') Object.defineProperty(near, name, { get: () => value, configurable: true });
  if (how === 'fixed') Object.defineProperty(far, name, { value, configurable: false, writable: false });
  return scope;
};

describe('RC1: what foreign code must not have', () => {
  it.each(GLOBAL)('%s is gone, wherever it comes from', (name) => {
    for (const how of ['own', 'inherited', 'getter', 'fixed'] as const) {
      const scope = scopeWith(name, how);
      expect(scope[name]).toBeDefined();
      removeNames(scope);
      expect(scope[name], how).toBeUndefined();
      expect(remainingCapabilities(scope)).toEqual([]);
    }
  });

  it.each(['sendBeacon', 'storage'])('navigator.%s is gone', (name) => {
    for (const how of ['own', 'inherited', 'getter', 'fixed'] as const) {
      const navigator = scopeWith(name, how);
      removeNames({ navigator });
      expect(navigator[name], how).toBeUndefined();
    }
  });
});
