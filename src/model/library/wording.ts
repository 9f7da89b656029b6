/** “a code review”, “an api review”: for texts that are filled in. */
export const indefinite = (name: string): string => {
  const words = name.replace(/-/g, ' ');
  return `${/^[aeiou]/i.test(words) ? 'an' : 'a'} ${words}`;
};
