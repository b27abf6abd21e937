import { readdirSync, readFileSync } from 'node:fs';
import { createParser } from 'eventsource-parser';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StreamTooLargeError } from '../errors.ts';
import { type SseFrame, SseParser } from './sse.ts';

interface Event {
  readonly data: string;
  readonly event: string | undefined;
  readonly id: string | undefined;
}

/** What another parser makes of the same text. */
function oracle(text: string): readonly Event[] {
  const events: Event[] = [];
  const parser = createParser({
    onEvent: ({ data, event, id }) => events.push({ data, event: event === '' ? undefined : event, id }),
  });
  // It waits after a CR at the end of what it has; a comment lets it go on, and is no event.
  parser.feed(text);
  parser.feed(':\n');
  return events;
}

function eventsOf(frames: readonly SseFrame[]): readonly Event[] {
  return frames.flatMap(({ data, event, id }) => (data === undefined ? [] : [{ data, event, id }]));
}

function read(pieces: readonly Uint8Array[]): readonly SseFrame[] {
  const parser = new SseParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

/** Transcripts of providers, by name. */
const fixtures = ['anthropic', 'openai', 'protocol-conversion'].flatMap((folder) => {
  const at = new URL(`../../testdata/apisix/${folder}/`, import.meta.url);
  return readdirSync(at)
    .filter((name) => name.endsWith('.sse'))
    .map((name) => [`${folder}/${name}`, readFileSync(new URL(name, at), 'utf8')] as const);
});

test('there are transcripts to read', () => {
  expect(fixtures.length).toBeGreaterThan(18);
});

describe.each(fixtures)('%s', (_name, text) => {
  const variants: readonly (readonly [string, string])[] = [
    ['as it is', text],
    ['with CRLF', text.replaceAll('\n', '\r\n')],
    ['with CR', text.replaceAll('\n', '\r')],
    ['after a byte order mark', `\uFEFF${text}`],
    ['with comments', text.replaceAll('\n\n', '\n: still here\n\n: and here\n\n')],
  ];

  test.each(variants)('%s: cut at every byte, it says what another parser reads', (_variant, variant) => {
    const bytes = Buffer.from(variant);
    const expected = oracle(variant);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(eventsOf(read([bytes.subarray(0, cut), bytes.subarray(cut)]))).toEqual(expected);
    }
    expect(eventsOf(read(Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1))))).toEqual(expected);
  });
});

const line = fc.oneof(
  fc.constantFrom(
    '',
    '',
    ':',
    ': a comment',
    'data',
    'data:',
    'data: ',
    'data:  x',
    'datum: 1',
    'event',
    'event:',
    'id',
    'id: a\0b',
    'retry: 10',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => `data: ${text}`),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => `event:${text}`),
  fc.string({ maxLength: 6 }).map((text) => `id: ${text}`),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const stream = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 24 })
  .map((lines) => lines.map(([text, end]) => text + end).join(''))
  // Unpaired surrogates have no bytes.
  .map((text) => Buffer.from(text).toString());

/** Cuts bytes at the places that are given. */
function cutAt(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

test('any stream, cut anywhere, says what another parser reads', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(), { maxLength: 8 }), (text, cuts) => {
      expect(eventsOf(read(cutAt(Buffer.from(text), cuts)))).toEqual(oracle(text));
    }),
    { numRuns: 2000 },
  );
});

test('the bytes of the frames and of what is left are the stream, whatever it is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(), { maxLength: 8 }), (noise, cuts) => {
      const bytes = Buffer.from(noise.map((byte) => (byte % 5 === 0 ? 10 : byte % 7 === 0 ? 13 : byte)));
      if (bytes[0] === 0xef) bytes[0] = 58;
      const joined = Buffer.concat(read(cutAt(bytes, cuts)).map((frame) => frame.bytes));
      expect(joined).toEqual(bytes.subarray(0, joined.length));
    }),
  );
});

test('what is left at the end is an event when it has data, and its bytes end with a blank line', () => {
  const parser = new SseParser();
  expect(parser.push(Buffer.from('data: [DONE]'))).toEqual([]);
  const [frame, ...more] = parser.end();
  expect(more).toEqual([]);
  expect(frame?.data).toBe('[DONE]');
  expect(Buffer.from(frame?.bytes ?? []).toString()).toBe('data: [DONE]\n\n');
  expect(parser.end()).toEqual([]);
  const comment = new SseParser();
  comment.push(Buffer.from(': nothing'));
  expect(comment.end()).toEqual([]);
});

test('a mark that is none is the beginning of a line', () => {
  expect(eventsOf(read([Buffer.from([0xef]), Buffer.from([0xbb]), Buffer.from('data: x\n\ndata: y\n\n')]))).toEqual([
    { data: 'y', event: undefined, id: undefined },
  ]);
});

describe('events above the bound', () => {
  const event = Buffer.from(`data: ${'x'.repeat(92)}\n\n`);

  test.each([1, 7, 100])('are refused in pieces of %i bytes, and those at it are not', (size) => {
    const pieces = Array.from({ length: Math.ceil(event.length / size) }, (_piece, index) =>
      event.subarray(index * size, (index + 1) * size),
    );
    const within = new SseParser(event.length);
    expect(pieces.flatMap((piece) => within.push(piece))).toHaveLength(1);
    const above = new SseParser(event.length - 1);
    expect(() => pieces.flatMap((piece) => above.push(piece))).toThrow(StreamTooLargeError);
  });

  test('are found before they end', () => {
    const parser = new SseParser(1000);
    expect(() => parser.push(Buffer.alloc(1001, ':'))).toThrow(StreamTooLargeError);
  });
});

test('a frame stays what it is while later pieces come', () => {
  const parser = new SseParser();
  const frames: SseFrame[] = [];
  const text = Array.from({ length: 50 }, (_event, index) => `data: ${index} ${'é'.repeat(index)}\n\n`).join('');
  for (const byte of Buffer.from(text)) frames.push(...parser.push(Buffer.of(byte)));
  expect(Buffer.concat(frames.map((frame) => frame.bytes)).toString()).toBe(text);
});
