// A second try hides what fails now and then, in the test or in the code.
const message = 'A test passes at the first try. Repair what makes it fail now and then.';

const RUNNERS = new Set(['it', 'test', 'describe', 'suite', 'defineConfig', 'defineProject']);

/**
 * The first name of `it.each(table)(…)`, `test.describe.configure(…)` and the like.
 *
 * @param {any} callee
 * @returns {string | undefined}
 */
const nameOf = (callee) => {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') return nameOf(callee.object);
  if (callee.type === 'CallExpression') return nameOf(callee.callee);
  return undefined;
};

/**
 * The rows of `it.each` are data.
 *
 * @param {any} callee
 */
const isTable = (callee) => callee.type === 'MemberExpression' && ['each', 'for'].includes(callee.property.name);

/**
 * Whether a property is an option of the call, in one of its arguments or deeper; the bodies of tests are not options.
 *
 * @param {any} property
 */
const isOption = (property) => {
  for (let node = property.parent; node; node = node.parent) {
    if (node.type === 'CallExpression') return !isTable(node.callee) && RUNNERS.has(nameOf(node.callee) ?? '');
    if (node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression') return false;
  }
  return false;
};

export const noRetry = {
  /** @param {any} context */
  create: (context) => ({
    /** @param {any} node */
    Property(node) {
      const isRetry = ['retry', 'retries'].includes(node.key.name ?? node.key.value);
      const isNone = node.value.type === 'Literal' && node.value.value === 0;
      if (isRetry && !isNone && isOption(node)) context.report({ node, message });
    },
  }),
};
