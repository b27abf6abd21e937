import { describe, expect, it } from 'vitest';
import { CONTENT_TYPE_PATTERN, JSON_TYPES, XML_TYPES, contentTypeMatcher, saidType } from './content-types.ts';

describe('contentTypeMatcher', () => {
  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    [
      'a type',
      ['application/json'],
      ['application/json'],
      ['application/json5', 'text/json', 'application/a+json', ''],
    ],
    ['a type in another case', ['Application/JSON'], ['application/json'], []],
    ['all of a kind', ['text/*'], ['text/plain', 'text/csv'], ['application/text', 'text']],
    ['all of a syntax', ['+json'], ['application/a+json', 'image/b+json'], ['application/json', 'a/json+b']],
    ['a syntax of a kind', ['application/*+xml'], ['application/a+xml'], ['image/svg+xml', 'application/xml']],
    ['all there are', ['*/*'], ['image/png', ''], []],
    ['JSON', JSON_TYPES, ['application/json', 'text/json', 'application/problem+json'], ['application/x-ndjson', '']],
    ['XML', XML_TYPES, ['application/xml', 'text/xml', 'application/soap+xml'], ['text/html']],
  ])('%s', (_name, patterns, taken, left) => {
    const matches = contentTypeMatcher(patterns);
    expect(taken.filter((type) => !matches(type))).toEqual([]);
    expect(left.filter((type) => matches(type))).toEqual([]);
  });
});

describe('CONTENT_TYPE_PATTERN', () => {
  it.each(['application/json', 'text/*', '*/*', '+json', 'application/*+json', 'application/vnd.api+json', 'x-a/b_c'])(
    'takes %s',
    (pattern) => expect(CONTENT_TYPE_PATTERN.test(pattern)).toBe(true),
  );

  it.each(['json', '', '/', 'a/', '*', '*/json', 'text/*; a=b', 'application/json; charset=utf-8', 'a b/c', 'text/**'])(
    'refuses %j',
    (pattern) => expect(CONTENT_TYPE_PATTERN.test(pattern)).toBe(false),
  );
});

describe('saidType', () => {
  it.each([
    ['application/json', 'application/json', undefined],
    [' Application/JSON ;charset=UTF-8', 'application/json', 'utf-8'],
    ['text/a; x="charset=b"; Charset = "ISO-8859-1"', 'text/a', 'iso-8859-1'],
    ['text/a;charset=', 'text/a', ''],
    ['text/a, text/b', '', undefined],
    ['nonsense', '', undefined],
    ['', '', undefined],
    [undefined, '', undefined],
  ])('reads %j', (value, type, charset) => {
    expect(saidType(value)).toEqual({ type, charset });
    // From the table of those that were read.
    expect(saidType(value)).toEqual({ type, charset });
  });

  it('reads right after any number of other values', () => {
    for (let count = 0; count < 1000; count += 1) saidType(`text/x-${count}`);
    expect(saidType('application/json;charset=utf-8')).toEqual({ type: 'application/json', charset: 'utf-8' });
  });
});
