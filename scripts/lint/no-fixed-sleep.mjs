// A test that waits for a time is slow on a fast machine and wrong on a slow one.
const message =
  'Wait for what should happen (expect.poll, vi.waitFor, a promise), not for a time. Where time is the subject, disable this line and say why.';

/** @param {any} node */
const isZero = (node) => node === undefined || (node.type === 'Literal' && node.value === 0);

/** @param {any} callee */
const isGlobalTimer = (callee) =>
  (callee.type === 'Identifier' && callee.name === 'setTimeout') ||
  (callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    ['window', 'globalThis', 'self'].includes(callee.object.name) &&
    callee.property.name === 'setTimeout');

export const noFixedSleep = {
  /** @param {any} context */
  create: (context) => {
    /** Names of the promise that Node has for a time. */
    const sleeps = new Set();
    return {
      /** @param {any} node */
      ImportDeclaration(node) {
        if (!['node:timers/promises', 'timers/promises'].includes(node.source.value)) return;
        for (const { imported, local } of node.specifiers) {
          if (imported?.name === 'setTimeout') sleeps.add(local.name);
        }
      },
      /** @param {any} node */
      CallExpression(node) {
        const { callee } = node;
        const [first, second] = node.arguments;
        const isSleep =
          callee.type === 'Identifier' && sleeps.has(callee.name)
            ? !isZero(first)
            : isGlobalTimer(callee)
              ? !isZero(second)
              : callee.type === 'MemberExpression' && callee.property.name === 'waitForTimeout';
        if (isSleep) context.report({ node, message });
      },
    };
  },
};
