import fc from 'fast-check';

/**
 * Text of any characters, also of those that nobody types. The library's own unit for that takes seconds to make.
 * @param constraints lengths in characters
 */
export function anyText(constraints: {
  readonly minLength?: number;
  readonly maxLength?: number;
}): fc.Arbitrary<string> {
  return fc.string({ unit: character, ...constraints });
}

/** Any but halves of characters; a third of them are of the first 256. */
const character = fc
  .oneof(fc.nat(0xff), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));
