/**
 * What a compiler sees of Java: without comments and what is in literals. It reads as the language specification says (3.3, 3.7, 3.10):
 * Unicode escapes first, everywhere. A literal or comment that has no end is an error.
 */
export function javaSkeleton(source: string): string {
  const text = withoutEscapes(source);
  const token = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|"""|"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'|["']|\/\*|[^"'/]+|\//g;
  return [...text.matchAll(token)]
    .map(([piece]) => {
      if (piece.startsWith('//') || (piece.startsWith('/*') && piece.endsWith('*/') && piece.length > 3)) return ' ';
      if (/^(?:"""|["']|\/\*)$/.test(piece)) throw new Error(`no end of ${piece}`);
      return /^["']/.test(piece) ? '""' : piece;
    })
    .join('')
    .replace(/\s+/g, ' ');
}

function withoutEscapes(source: string): string {
  return source.replace(/\\(\\|u+([0-9a-fA-F]{4})|[^])/g, (escape, _, hex: string | undefined) =>
    // A backslash that comes of an escape begins none itself; it stands for some other character here.
    hex === undefined ? escape : String.fromCharCode(Number.parseInt(hex, 16)).replaceAll('\\', '?'),
  );
}
