// A rule that is turned off without a word is a rule that is gone.
const message = 'Say why, on the same line: `oxlint-disable-next-line rule -- reason`.';

export const reasonToDisable = {
  /** @param {any} context */
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        if (/^\s*(?:ox|es)lint-disable/.test(comment.value) && !/\s--\s+\S/.test(comment.value)) {
          context.report({ node: comment, message });
        }
      }
    },
  }),
};
