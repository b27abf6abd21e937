/** How a reader is to take a spelling: for what it is, for that or not at all, or not at all. */
export const kinds = ['good', 'odd', 'bad'] as const;
/** See {@link kinds}. */
export type Kind = (typeof kinds)[number];

/** All spellings with what each is. */
export function spelled(values: Readonly<Record<Kind, readonly string[]>>): readonly (readonly [string, Kind])[] {
  return kinds.flatMap((kind) => values[kind].map((value) => [value, kind] as const));
}

/** What may stand before a colon instead of a name: whether it is the name, another name, or no name at all. */
export const namesLike = (name: string): readonly (readonly [text: string, is: 'it' | 'other' | 'nothing'])[] => [
  ...[name, name.toLowerCase(), name.toUpperCase()].map((text) => [text, 'it'] as const),
  ...[`${name}x`, `X-${name}`, name.replace('-', '_'), name.replace('-', ''), `${name}-`, `~${name}`].map(
    (text) => [text, 'other'] as const,
  ),
  ...[`${name} `, `${name}\t`, `${name}\0`, `${name}\v`, `${name}\u007f`, `${name}\r`, `${name}:`].map(
    (text) => [text, 'nothing'] as const,
  ),
  ...[` ${name}`, `\t${name}`, `"${name}"`, `(${name})`, name.replace('-', ' '), name.replace('-', '\u00ad')].map(
    (text) => [text, 'nothing'] as const,
  ),
  ...[`\u00ef\u00bb\u00bf${name}`, name.replace('-', '\u00e2\u0080\u0090'), `${name}\u00a0`].map(
    (text) => [text, 'nothing'] as const,
  ),
];

/** Lengths of five. */
export const lengths = {
  good: ['5', ' 5', '\t5', '5 ', '5\t', '  5\t '],
  /** Digits, but not how anybody writes them: to be taken for what they are, or refused. */
  odd: ['05', '0000000005'],
  bad: [
    ...[
      '+5',
      '-5',
      '5.0',
      '5e0',
      '0x5',
      '5,5',
      '5, 5',
      '5,6',
      '5;5',
      '"5"',
      '5 5',
      '',
      ' ',
      'five',
      '5_0',
      "5'",
      '5h',
      '(5)',
    ],
    ...[
      '5\0',
      '5\v',
      '5\f',
      '\v5',
      '\f5',
      '\u00a05',
      '5\u00a0',
      '\u00b5',
      '\u00ef\u00bc\u0095',
      '5\u007f',
      '5\r',
      '5\r6',
      '5\n',
    ],
    ...['9'.repeat(20), '9'.repeat(40), '18446744073709551621', '9007199254740993', '5\r\n 0', '5\r\n\t5', '\r\n 5'],
  ],
} as const;

/** Codings of a body in chunks. */
export const codings = {
  good: ['chunked', 'CHUNKED', 'Chunked', ' chunked', '\tchunked', 'chunked '],
  /** Empty places of a list mean nothing; some readers take no tab at the end. */
  odd: ['chunked\t', ' \t chunked \t', 'chunked,', ',chunked', ' , chunked', 'chunked , '],
  bad: [
    ...[
      'chunked,chunked',
      'chunked, chunked',
      'chunked, identity',
      'identity, chunked',
      'gzip, chunked',
      'chunked, gzip',
    ],
    ...[
      'identity',
      'gzip',
      'deflate',
      'compress',
      'x-chunked',
      'chunkedx',
      'xchunked',
      'cow',
      'cow, chunked',
      'chunked cow',
    ],
    ...[
      '"chunked"',
      "'chunked'",
      'chunked;q=1',
      'chunked; a=b',
      '{chunked}',
      '',
      ' ',
      'trailers',
      'chunked;',
      'chun ked',
    ],
    ...[
      '\vchunked',
      'chunked\v',
      '\fchunked',
      'chunked\f',
      'chun\0ked',
      '\0chunked',
      'chunked\0',
      '\u00ffchunked',
      'chunked\u00ff',
    ],
    ...[
      '\r\n chunked',
      '\r\n\tchunked',
      'chunked\r\n ',
      'chunked\r',
      '\rchunked',
      '\nchunked',
      'chunked\u00a0',
      'chunk',
      'chunke\u00e4',
    ],
  ],
} as const;

/** First lines of a chunk of five. */
export const sizes = {
  good: ['5', '05', '00005', '5;a', '5;a=b', '5;a="b"', '5;a=b;c=d'],
  odd: [
    '5;',
    '5 ',
    '5\t',
    '5 ;a',
    '5; a=b',
    '5;a = b',
    '5;a="b;c"',
    '5;a="b\\"c"',
    `5;${'e'.repeat(200)}`,
    '0'.repeat(30) + '5',
  ],
  bad: [
    ...[
      '0x5',
      '+5',
      '-5',
      ' 5',
      '\t5',
      '5g',
      'g',
      '',
      '5_',
      '5,5',
      'five',
      '5\n',
      '5\r',
      '5\0',
      '5\v',
      '5\f',
      '5 5',
      '5=5',
      '"5"',
    ],
    ...[
      'ffffffffffffffff5',
      '10000000000000005',
      'fffffffffffffffb',
      '100000005\n',
      '5;a\n',
      '5;a\r',
      '5;a\0',
      '5;\n',
      '5\u00a0',
      '５',
    ],
    ...['5;a="\r"', '5;a="\n"', '4', '6', '4;a', '6;a', '0000000000000004', 'a', '50'],
  ],
} as const;

/** What follows a chunk's data. */
export const dataEnds = {
  good: ['\r\n'],
  odd: [],
  bad: ['\n', '\r', '', 'x\r\n', '\r\r\n', '\n\r\n', ' \r\n', '\0\r\n', '\r\n\r\n'],
} as const;

/** The last chunk and what follows it. */
export const ends = {
  good: ['0\r\n\r\n', '00\r\n\r\n', '0;a\r\n\r\n', '0\r\nX-Trailer: y\r\n\r\n', '0;a=b\r\nX-T: y\r\nX-U: z\r\n\r\n'],
  odd: ['0 \r\n\r\n', '0;\r\n\r\n'],
  bad: [
    ...[
      '-0\r\n\r\n',
      '+0\r\n\r\n',
      '0x0\r\n\r\n',
      '0\n\n',
      '0\r\n\n',
      '0\r\r\n\r\n',
      '0\n\r\n',
      '\r\n0\r\n\r\n',
      'x\r\n\r\n',
      '\r\n',
    ],
    ...[
      '0\r\n X: y\r\n\r\n',
      '0\r\nX\r\n\r\n',
      '0\r\nX : y\r\n\r\n',
      '0\r\nX: a\0b\r\n\r\n',
      '0\r\nX: a\rb\r\n\r\n',
      '0\r\n: y\r\n\r\n',
    ],
  ],
} as const;
