/** The first paragraph of a body that is no heading, on one line. */
export const firstParagraph = (body: string): string | undefined => {
  for (const block of body.replaceAll('\r\n', '\n').split(/\n\s*\n/)) {
    const lines = block.split('\n').filter((line) => line.trim() !== '' && !/^#+\s/.test(line.trim()));
    if (lines.length > 0) return lines.map((line) => line.trim()).join(' ');
  }
  return undefined;
};
