/** Characters of a description in a comment. Who wants all of it reads the description. */
const descriptionLengthMax = 1000;

/**
 * The lines of a text from a description as comments take them: no control characters and nothing that turns the direction of writing,
 * so that what a reviewer sees is what the compiler sees; of reasonable length. What would end the comment is each language's own.
 */
export function plainLines(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const cut = text.length > descriptionLengthMax ? `${text.slice(0, descriptionLengthMax).trimEnd()} …` : text;
  const lines = cut
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .split('\n')
    .map((line) => line.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, ' ').trimEnd());
  while (lines.at(-1) === '') lines.pop();
  while (lines[0] === '') lines.shift();
  return lines;
}
