import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MalformedAnswerError, StreamTooLargeError } from '../errors.ts';
import { AwsEventStream, type AwsMessage } from './aws-event-stream.ts';

/** A frame as AWS writes it. */
function frame(headers: Buffer, payload: Buffer): Buffer {
  const message = Buffer.alloc(16 + headers.length + payload.length);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(headers.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  headers.copy(message, 12);
  payload.copy(message, 12 + headers.length);
  message.writeUInt32BE(crc32(message.subarray(0, message.length - 4)), message.length - 4);
  return message;
}

function textHeader(name: string, value: string): Buffer {
  const [nameBytes, valueBytes] = [Buffer.from(name), Buffer.from(value)];
  return Buffer.concat([Buffer.of(nameBytes.length), nameBytes, Buffer.of(7, 0, valueBytes.length), valueBytes]);
}

function read(bytes: Buffer, size: number): readonly AwsMessage[] {
  const stream = new AwsEventStream();
  const messages: AwsMessage[] = [];
  for (let at = 0; at < bytes.length; at += size) messages.push(...stream.push(bytes.subarray(at, at + size)));
  stream.end();
  return messages;
}

const transcript = readFileSync(
  new URL('../../testdata/apisix/bedrock/bedrock-converse-streaming.bin', import.meta.url),
);

test('a transcript is read, in pieces of any size', () => {
  const whole = read(transcript, transcript.length);
  expect(whole.map(({ headers }) => headers.get(':event-type'))).toEqual(
    expect.arrayContaining(['messageStart', 'contentBlockDelta', 'messageStop', 'metadata']),
  );
  for (let size = 1; size < 40; size += 1) expect(read(transcript, size)).toEqual(whole);
});

test('headers of all types are passed over, texts are kept', () => {
  const others = [
    [0],
    [1],
    [2, 9],
    [3, 9, 9],
    [4, 9, 9, 9, 9],
    [5, ...Array<number>(8).fill(9)],
    [6, 0, 3, 9, 9, 9],
    [8, ...Array<number>(8).fill(9)],
    [9, ...Array<number>(16).fill(9)],
  ].map((value) => Buffer.from([1, 120, ...value]));
  const bytes = frame(Buffer.concat([...others, textHeader('b', 'é')]), Buffer.from('{}'));
  const [message] = read(bytes, bytes.length);
  expect([...(message?.headers ?? [])]).toEqual([['b', 'é']]);
  expect(Buffer.from(message?.payload ?? []).toString()).toBe('{}');
});

describe('damage', () => {
  test('of any byte is found', () => {
    for (let at = 0; at < transcript.length; at += 1) {
      const bytes = Buffer.from(transcript);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x41, at);
      expect(() => read(bytes, 64)).toThrow(MalformedAnswerError);
    }
  });

  test('an end within a message is found', () => {
    expect(() => read(transcript.subarray(0, -1), 64)).toThrow(MalformedAnswerError);
  });

  test('headers that are none, with checksums that fit', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (headers) => {
        try {
          read(frame(Buffer.from(headers), Buffer.alloc(0)), 1000);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedAnswerError);
        }
      }),
    );
    expect(() => read(frame(Buffer.of(200), Buffer.alloc(0)), 100)).toThrow(MalformedAnswerError);
  });

  test('a length below that of its parts', () => {
    const prelude = Buffer.alloc(12);
    prelude.writeUInt32BE(12, 0);
    prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
    expect(() => new AwsEventStream().push(prelude)).toThrow(MalformedAnswerError);
  });
});

test('a message above the bound is refused when its length is known', () => {
  const bytes = frame(Buffer.alloc(0), Buffer.alloc(84));
  expect(new AwsEventStream(100).push(bytes)).toHaveLength(1);
  expect(() => new AwsEventStream(99).push(bytes.subarray(0, 12))).toThrow(StreamTooLargeError);
});
