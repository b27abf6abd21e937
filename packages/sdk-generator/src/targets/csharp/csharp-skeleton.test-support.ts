/**
 * What a compiler sees of C#: without comments and what is in literals. Comments and ordinary literals end at what the language
 * specification calls the end of a line (6.3.3, 6.4.5), which is more than a line feed.
 */
export function csharpSkeleton(source: string): string {
  const token =
    /\/\/[^\r\n\u0085\u2028\u2029]*|\/\*[\s\S]*?\*\/|@"(?:[^"]|"")*"|"(?:[^"\\\r\n\u0085\u2028\u2029]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'|@?["']|\/\*|[^"'/@]+|[/@]/g;
  return [...source.matchAll(token)]
    .map(([piece]) => {
      if (piece.startsWith('//') || (piece.startsWith('/*') && piece.length > 3)) return ' ';
      if (/^(?:@?["']|\/\*)$/.test(piece)) throw new Error(`no end of ${piece}`);
      return /^@?["']./.test(piece) ? '""' : piece;
    })
    .join('')
    .replace(/\s+/g, ' ');
}
