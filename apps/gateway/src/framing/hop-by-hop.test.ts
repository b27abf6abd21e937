import { expect, it } from 'vitest';
import { everythingTo, exchangeRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { startRecordingUpstream } from './recording-upstream.test-support.ts';

/** Fields that belong to one connection. Source: RFC 9110, section 7.6.1. */
const hopFields = [
  ...[
    'Keep-Alive: timeout=5',
    'Proxy-Connection: keep-alive',
    'Proxy-Authenticate: Basic',
    'Proxy-Authorization: Basic eA==',
  ],
  ...[
    'TE: gzip',
    'TE: trailers, deflate',
    'Trailer: X-Late',
    'Upgrade: h2c',
    'Upgrade: other/1.0',
    'Proxy: http://evil.test',
  ],
];
/** Ways to name fields in `Connection`; `#` stands for a name. */
const namings = [
  ...[
    '#',
    ' #',
    '# ',
    '\t#\t',
    'close, #',
    '#, close',
    'keep-alive,#',
    '#,keep-alive',
    ',#',
    '#,',
    ', ,#,,',
    '#,#',
    'x,#,y',
  ],
  ...['"#", #', 'keep-alive , # , x', `${'x,'.repeat(200)}#`],
];
const spellings = [(name: string) => name, (name: string) => name.toLowerCase(), (name: string) => name.toUpperCase()];
const custom = ['X-Hop', 'Cookie'];

interface Case {
  readonly lines: readonly string[];
  /** Names that must not go on, in lower case. */
  readonly hidden: readonly string[];
}

function* cases(): Generator<Case> {
  const nameOf = (line: string): string => line.slice(0, line.indexOf(':'));
  for (const line of hopFields) {
    for (const spelling of spellings) {
      for (const also of [[], ['Connection: keep-alive'], [`Connection: ${nameOf(line)}`]]) {
        const spelled = spelling(nameOf(line)) + line.slice(line.indexOf(':'));
        // One who asks for another protocol and offers none is told so.
        if (also[0]?.endsWith('Upgrade') === true) continue;
        yield { lines: [...also, spelled], hidden: [nameOf(line).toLowerCase()] };
      }
    }
  }
  for (const name of custom) {
    for (const naming of namings) {
      for (const inField of spellings) {
        for (const inList of spellings) {
          const list = `Connection: ${naming.replaceAll('#', inList(name))}`;
          const field = `${inField(name)}: secret`;
          yield { lines: [list, field], hidden: [name.toLowerCase()] };
          yield { lines: [field, 'Connection: keep-alive', list, field], hidden: [name.toLowerCase()] };
        }
      }
    }
  }
}

/** Of the gateway's own connection, all that may be said there. */
const ownFields =
  /^(connection: (close|keep-alive)|keep-alive: timeout=65, max=\d+|transfer-encoding: chunked|te: trailers)$/;

it(
  'of hundreds of requests and answers no field that belongs to one connection is on the next one',
  { timeout: 120_000 },
  async () => {
    const all = [...cases()];
    await using upstream = await startRecordingUpstream(({ target }) => {
      const lines = all[Number(target.slice(1))]?.lines ?? [];
      // Nobody asked for another protocol, and `Proxy` means something in requests only.
      return [
        'HTTP/1.1 200 OK',
        ...lines.filter((line) => !/^(upgrade|proxy):/i.test(line)),
        'Content-Length: 2',
        '',
        'ok',
      ].join('\r\n');
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const answers: string[] = [];
    const indexes = all.keys();
    const work = async (): Promise<void> => {
      for (const index of indexes) {
        const text = [`GET /${index} HTTP/1.1`, 'Host: a', ...(all[index]?.lines ?? []), '', ''].join('\r\n');
        answers[index] = await exchangeRaw(gateway.port, text, (raw) => raw.includes('\r\n\r\n'));
      }
    };
    await Promise.all(Array.from({ length: 16 }, work));
    expect(all.length).toBeGreaterThan(500);
    expect(upstream.malformed).toEqual([]);
    expect(
      upstream.requests.map(({ target }) => Number(target.slice(1))).toSorted((left, right) => left - right),
    ).toEqual([...all.keys()]);
    const leaks = upstream.requests.flatMap(({ target, fields }) => {
      const index = Number(target.slice(1));
      const forwarded = fields.map(([name, value]) => `${name}: ${value}`);
      const answered =
        (answers[index] ?? '')
          .split('\r\n\r\n')[0]
          ?.split('\r\n')
          .slice(1)
          .map((line) => line.toLowerCase()) ?? [];
      const hidden = [
        ...(all[index]?.hidden ?? []),
        'connection',
        'keep-alive',
        'te',
        'trailer',
        'upgrade',
        'transfer-encoding',
      ];
      return [...forwarded, ...answered]
        .filter((line) => hidden.some((name) => line.startsWith(`${name}:`)) && !ownFields.test(line))
        .map((line) => `${line} of ${JSON.stringify(all[index]?.lines)}`);
    });
    expect(leaks).toEqual([]);
  },
);
