import { octets, sequence, utf8 } from '@portcullis/testkit/der';
import { describe, expect, it } from 'vitest';
import { hasTooManyElements } from './certificate-size.ts';

const empty = Buffer.of(5, 0);
const many = (count: number, element: Uint8Array = empty): Uint8Array[] => Array.from({ length: count }, () => element);

describe('the elements of a certificate', () => {
  it.each<[string, boolean, Uint8Array]>([
    ['a thousand', false, sequence(...many(999))],
    ['more', true, sequence(...many(1000))],
    ['more, side by side', true, Buffer.concat(many(1001))],
    ['more, one in another', true, many(1000).reduce((inner) => sequence(inner), empty)],
    ['more in the value of an extension', true, sequence(octets(sequence(...many(1000))))],
    ['a text that looks like more', false, sequence(utf8('\u0005\0'.repeat(2000)))],
    ['a key in a value that looks like more', false, sequence(octets(octets(Buffer.concat(many(2000)))))],
    [
      'an indefinite length that may hold more',
      true,
      sequence(octets(Buffer.concat([Buffer.of(0x30, 0x80), ...many(1000)]))),
    ],
    ['an indefinite length that cannot', false, sequence(octets(Buffer.concat([Buffer.of(0x30, 0x80), ...many(900)])))],
    ['a length beyond the end', true, Buffer.concat([Buffer.of(0x30, 0x84, 0xff, 0xff, 0xff, 0xff), ...many(1000)])],
    ['a tag of many bytes', true, Buffer.concat([Buffer.of(0x3f, 0x81, 0x01), ...many(1000)])],
    ['nothing', false, Buffer.alloc(0)],
    ['a half', false, Buffer.of(0x30)],
  ])('are too many or not: %s', (_name, expected, bytes) => {
    expect(hasTooManyElements(bytes)).toBe(expected);
  });
});
