/** Work on many things with a bound on how many are under way. */

/** The answers are in the order of the items. A failure is the answer of all, and nothing new is started after it. */
export const mapBounded = async <Item, Answer>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Answer>,
): Promise<Answer[]> => {
  const answers = Array.from<Answer>({ length: items.length });
  let next = 0;
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    while (next < items.length && !hasFailed) {
      const index = next++;
      try {
        answers[index] = await work(items[index] as Item, index);
      } catch (thrown) {
        hasFailed = true;
        throw thrown;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return answers;
};
