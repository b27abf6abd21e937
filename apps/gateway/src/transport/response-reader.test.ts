import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interimBytesMax, ResponseReader, responseHeadBytesMax, type ReadingSink } from './response-reader.ts';

/** Notes what it hears; wants nothing more for a while after each of the first pieces, if it is told to. */
class Notes implements ReadingSink {
  isHeld = false;
  readonly heard: unknown[] = [];
  body = '';
  readonly #holds: boolean;

  constructor(holds: boolean) {
    this.#holds = holds;
  }

  onHead(status: number, pairs: string[]): void {
    this.heard.push([status, ...pairs]);
    this.isHeld = this.#holds;
  }

  onBody(chunk: Uint8Array): void {
    this.body += Buffer.from(chunk).toString('latin1');
    this.isHeld = this.#holds;
  }

  onWhole(trailers: string[] | undefined): void {
    this.heard.push(this.body, trailers);
  }
}

/** What is heard of an answer that comes in pieces. */
function read(pieces: readonly Buffer[], method: string, holds = false) {
  const notes = new Notes(holds);
  const reader = new ResponseReader(notes);
  reader.begin(method, undefined);
  let unread: Buffer = Buffer.alloc(0);
  for (const piece of [...pieces, Buffer.alloc(0)]) {
    unread = Buffer.concat([unread, piece]);
    let at = -1;
    while (at !== 0 && !reader.isMalformed) {
      notes.isHeld = false;
      at = reader.read(unread, 0);
      unread = unread.subarray(at);
    }
  }
  const isEnded = reader.end();
  const { isMalformed, isPersistent } = reader;
  return { heard: notes.heard, body: notes.body, isMalformed, isPersistent, isEnded, left: unread.length };
}

const readText = (text: string, method = 'GET') => read([Buffer.from(text, 'latin1')], method);

describe('an answer', () => {
  it.each<[string, string, unknown[], boolean]>([
    [
      'with a length',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      [[200, 'Content-Length', '2'], 'ok', undefined],
      true,
    ],
    [
      'with blanks around values',
      'HTTP/1.1 200\r\na: \t b c \r\nb:\r\nContent-Length:0\r\n\r\n',
      [[200, 'a', 'b c', 'b', '', 'Content-Length', '0'], '', undefined],
      true,
    ],
    [
      'in chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2;a="b"\r\nok\r\nA \r\n0123456789\r\n0\r\n\r\n',
      [[200, 'Transfer-Encoding', 'Chunked'], 'ok0123456789', undefined],
      true,
    ],
    [
      'with trailers',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n00\r\nx-a: 1\r\nx-b: 2\r\n\r\n',
      [[200, 'transfer-encoding', 'chunked'], 'ok', ['x-a', '1', 'x-b', '2']],
      true,
    ],
    ['without a body', 'HTTP/1.1 204 None\r\n\r\n', [[204], '', undefined], true],
    [
      'of which only the head is changed',
      'HTTP/1.1 304 Same\r\nContent-Length: 10\r\n\r\n',
      [[304, 'Content-Length', '10'], '', undefined],
      true,
    ],
    [
      'after interim ones',
      'HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 103 Hints\r\nlink: x\r\n\r\nHTTP/1.1 204 \r\n\r\n',
      [[204], '', undefined],
      true,
    ],
    [
      'that ends the connection',
      'HTTP/1.1 204 None\r\nConnection: x, Close\r\n\r\n',
      [[204, 'Connection', 'x, Close'], '', undefined],
      false,
    ],
    ['of HTTP/1.0', 'HTTP/1.0 204 None\r\n\r\n', [[204], '', undefined], false],
    [
      'of HTTP/1.0 that keeps the connection',
      'HTTP/1.0 204 None\r\nConnection: keep-alive\r\n\r\n',
      [[204, 'Connection', 'keep-alive'], '', undefined],
      true,
    ],
    ['that ends with the connection', 'HTTP/1.1 200 OK\r\n\r\nall of it', [[200], 'all of it', undefined], false],
  ])('%s is read, however it comes', (_name, text, heard, isPersistent) => {
    const bytes = Buffer.from(text, 'latin1');
    const expected = { heard, isPersistent, isMalformed: false, left: 0 };
    expect(read([bytes], 'GET')).toMatchObject(expected);
    expect(
      read(
        [...bytes].map((byte) => Buffer.of(byte)),
        'GET',
      ),
    ).toMatchObject(expected);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), fc.boolean(), (cuts, holds) => {
        const ends = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
        expect(read(pieces, 'GET', holds)).toMatchObject(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('to HEAD has no body, whatever it says', () => {
    expect(readText('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n', 'HEAD')).toMatchObject({
      heard: [[200, 'Content-Length', '7'], '', undefined],
    });
  });

  it('may have an extension with each chunk, however long it is', () => {
    const chunk = `fa0;${'x'.repeat(3000)}\r\n${'a'.repeat(0xfa0)}\r\n`;
    const text = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(100)}0\r\n\r\n`;
    expect(readText(text)).toMatchObject({
      isMalformed: false,
      heard: [expect.anything(), 'a'.repeat(400_000), undefined],
    });
  });

  it('leaves alone what comes behind it', () => {
    expect(readText('HTTP/1.1 204 None\r\n\r\nHTTP/1.1 200 OK\r\n\r\n').left).toBe(19);
  });

  it('is not whole when the connection ends before it', () => {
    expect(readText('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok')).toMatchObject({ body: 'ok', isEnded: false });
    expect(readText('HTTP/1.1 200 OK\r\n\r\nok')).toMatchObject({ body: 'ok', isEnded: true });
  });

  const head = 'HTTP/1.1 200 OK\r\n';
  const chunked = `${head}Transfer-Encoding: chunked\r\n`;
  it.each([
    ['is of another protocol', 'SSH-2.0-x'],
    ['is of another version', 'HTTP/2 200 OK\r\n\r\n'],
    ['begins with an empty line', `\r\n${head}\r\n`],
    ['has two blanks before its status', 'HTTP/1.1  200 OK\r\n\r\n'],
    ['has a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['has a status of four digits', 'HTTP/1.1 2000\r\n\r\n'],
    ['has a status below all', 'HTTP/1.1 099 OK\r\n\r\n'],
    ['has a status above all', 'HTTP/1.1 600 OK\r\n\r\n'],
    ['switches to what nobody asked for', 'HTTP/1.1 101 Go\r\nUpgrade: websocket\r\n\r\n'],
    ['has a line without a colon', `${head}field\r\n\r\n`],
    ['has a field without a name', `${head}: x\r\n\r\n`],
    ['has a blank before a colon', `${head}field : x\r\n\r\n`],
    ['continues a line', `${head}a: x\r\n b: y\r\n\r\n`],
    ['ends lines by half', `HTTP/1.1 200 OK\na: x\n\n\r\n\r\n`],
    ['has a bare carriage return', `${head}a: x\ry\r\n\r\n`],
    ['has a zero byte', `${head}a: x\0\r\n\r\n`],
    ['gives a length twice', `${head}Content-Length: 1\r\ncontent-length: 1\r\n\r\na`],
    ['gives two lengths in one', `${head}Content-Length: 1, 1\r\n\r\na`],
    ['gives a signed length', `${head}Content-Length: +1\r\n\r\na`],
    ['gives no length', `${head}Content-Length:\r\n\r\na`],
    ['gives a length beyond all numbers', `${head}Content-Length: 9999999999999999\r\n\r\na`],
    ['gives a length and a coding', `${chunked}Content-Length: 1\r\n\r\n1\r\na\r\n0\r\n\r\n`],
    ['has a coding twice', `${chunked}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['has another coding', `${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['has a chunk without a size', `${chunked}\r\n\r\n`],
    ['has a chunk of a negative size', `${chunked}\r\n-1\r\n`],
    ['has a chunk beyond all numbers', `${chunked}\r\nfffffffffffffff\r\n`],
    ['has a size that ends by half', `${chunked}\r\n1\na\r\n0\r\n\r\n`],
    ['has two sizes in a line', `${chunked}\r\n1 5\r\na\r\n0\r\n\r\n`],
    ['has a size with something behind it', `${chunked}\r\n1x\r\na\r\n0\r\n\r\n`],
    ['has a chunk that is longer than it said', `${chunked}\r\n1\r\nab\r\n0\r\n\r\n`],
    ['has a control character in an extension', `${chunked}\r\n1;\n\r\na\r\n0\r\n\r\n`],
    ['has an extension without end', `${chunked}\r\n1;${'x'.repeat(5000)}`],
    ['has more in extensions than in chunks', `${chunked}\r\n${`1;${'x'.repeat(4000)}\r\na\r\n`.repeat(17)}`],
    ['has a trailer that is no field', `${chunked}\r\n0\r\nx\r\n\r\n`],
    ['has trailers without end', `${chunked}\r\n0\r\n${'a: b\r\n'.repeat(responseHeadBytesMax / 6 + 1)}`],
    [
      'has interim answers without end',
      `HTTP/1.1 103 Hints\r\na: ${'b'.repeat(1000)}\r\n\r\n`.repeat(interimBytesMax / 1000),
    ],
    ['is of HTTP/1.0 and in chunks', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n'],
    ['has a head without end', `${head}${'a: b\r\n'.repeat(responseHeadBytesMax / 6 + 1)}`],
  ])('that %s is refused, however it comes', (_name, text) => {
    const bytes = Buffer.from(text, 'latin1');
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(at * 7, at * 7 + 7));
    for (const outcome of [read([bytes], 'GET'), read(pieces, 'GET')]) {
      expect(outcome.isMalformed).toBe(true);
      expect(outcome.isEnded).toBe(false);
    }
  });
});
