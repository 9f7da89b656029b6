// A subscription to a whole store renders again with every token that streams. A part is picked instead.
const message =
  'Subscribe to a part of the store: useStore(store, (state) => state.part), once for each part. Every change of the whole would render this again.';

/** @param {any} node */
const isWholeState = (node) =>
  node?.type === 'MemberExpression' &&
  !node.computed &&
  ['getState', 'getSnapshot', 'getInitialState'].includes(node.property.name);

/**
 * What an arrow gives back, where it does nothing else.
 *
 * @param {any} node
 */
const resultOf = (node) => {
  if (node?.type !== 'ArrowFunctionExpression') return undefined;
  if (node.body.type !== 'BlockStatement') return node.body;
  const [only] = node.body.body;
  return only?.type === 'ReturnStatement' ? only.argument : undefined;
};

/** @param {any} node */
const isIdentity = (node) => {
  const result = resultOf(node);
  return result?.type === 'Identifier' && result.name === node.params[0]?.name;
};

/** @param {any} node */
const readsWholeState = (node) => {
  const result = resultOf(node);
  return isWholeState(node) || (result?.type === 'CallExpression' && isWholeState(result.callee));
};

export const selectFromStore = {
  /** @param {any} context */
  create: (context) => ({
    /** @param {any} node */
    CallExpression(node) {
      if (node.callee.type !== 'Identifier') return;
      const [, pick] = node.arguments;
      const isWhole =
        node.callee.name === 'useStore'
          ? pick === undefined || isIdentity(pick)
          : node.callee.name === 'useSyncExternalStore' && readsWholeState(pick);
      if (isWhole) context.report({ node, message });
    },
  }),
};
