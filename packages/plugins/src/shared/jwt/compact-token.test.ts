import { describe, expect, it } from 'vitest';
import { encoded } from '../../testing/tokens.ts';
import { HEADER_BYTES_MAX, KID_LENGTH_MAX, readCompactToken } from './compact-token.ts';
import { JSON_DEPTH_MAX, parseUniqueJson } from './unique-json.ts';

const header = { alg: 'ES256', kid: 'k1', typ: 'JWT' };
const claims = { sub: 'u1' };
const [head, body, signature] = [encoded(header), encoded(claims), 'c2lnbmF0dXJl'];
const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('readCompactToken', () => {
  it('takes a token apart', () => {
    expect(readCompactToken(`${head}.${body}.${signature}`)).toEqual({
      text: `${head}.${body}.${signature}`,
      algorithm: 'ES256',
      kid: 'k1',
      header,
      claims,
    });
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['two parts', `${head}.${body}`],
    ['four parts', `${head}.${body}.${signature}.`],
    ['five parts', `${head}.${body}.${signature}.${signature}.${signature}`],
    ['no signature', `${head}.${body}.`],
    ['no claims', `${head}..${signature}`],
    ['no header', `.${body}.${signature}`],
    ['padding', `${head}=.${body}.${signature}`],
    ['padding of the signature', `${head}.${body}.c2ln=`],
    ['a space', `${head}. ${body}.${signature}`],
    ['a line break', `${head}.${body}.${signature}\n`],
    ['a no-break space', `${head}.${body}.${signature}\u00a0`],
    ['a zero-width space', `${head}.\u200b${body}.${signature}`],
    ['full-width letters', `${head}.${body}.ｃ2ln`],
    ['the other alphabet', `${head}.${body}.+/+/`],
    ['a character too few', `${head}.${body}.c2lnb`],
    ['bits behind the end', `${head}.${body}.c2lnbn`],
    ['a null byte', `${head}.${body}.${signature}\0`],
    ['a header that is no JSON', `${encoded('{alg:ES256}')}.${body}.${signature}`],
    ['a header that is a list', `${encoded('["ES256"]')}.${body}.${signature}`],
    ['a header that is a text', `${encoded('"ES256"')}.${body}.${signature}`],
    ['claims that are null', `${head}.${encoded('null')}.${signature}`],
    ['claims that are a list', `${head}.${encoded('[{"sub":"u1"}]')}.${signature}`],
    ['JSON of a JWS', JSON.stringify({ protected: head, payload: body, signature })],
    ['a long header', `${encoded({ ...header, x5c: ['a'.repeat(HEADER_BYTES_MAX)] })}.${body}.${signature}`],
    ['a long token', `${head}.${encoded({ a: 'a'.repeat(16_384) })}.${signature}`],
  ])('takes no text with %s', (_name, text) => {
    expect(readCompactToken(text)).toBe('malformed_token');
  });

  it.each<[string, unknown, string]>([
    ['no alg', { kid: 'k1' }, 'algorithm'],
    ['an alg that is no text', { alg: ['ES256'] }, 'algorithm'],
    ['an alg that is null', { alg: null }, 'algorithm'],
    ['an alg without end', { alg: 'ES256'.repeat(100) }, 'algorithm'],
    ['crit', { ...header, crit: ['exp'] }, 'unsupported_header'],
    ['crit that is empty', { ...header, crit: [] }, 'unsupported_header'],
    ['crit and b64', { ...header, crit: ['b64'], b64: false }, 'unsupported_header'],
    ['b64 alone', { ...header, b64: false }, 'unsupported_header'],
    ['a kid that is a number', { ...header, kid: 1 }, 'malformed_token'],
    ['a kid that is an object', { ...header, kid: { $ne: '' } }, 'malformed_token'],
    ['an empty kid', { ...header, kid: '' }, 'malformed_token'],
    ['a kid with a space', { ...header, kid: "k1' OR '1'='1" }, 'malformed_token'],
    ['a kid with a null byte', { ...header, kid: 'k1\0' }, 'malformed_token'],
    ['a long kid', { ...header, kid: 'k'.repeat(KID_LENGTH_MAX + 1) }, 'malformed_token'],
    ['the type of another token', { ...header, typ: 'logout+jwt' }, 'type'],
    ['a type that is no text', { ...header, typ: 1 }, 'type'],
    ['alg twice', '{"alg":"ES256","alg":"none"}', 'malformed_token'],
    ['alg twice, once with an escape', '{"alg":"ES256","\\u0061lg":"none"}', 'malformed_token'],
    ['a name twice further in', '{"alg":"ES256","jwk":{"kty":"EC","kty":"oct"}}', 'malformed_token'],
  ])('takes no header with %s', (_name, given, fault) => {
    expect(readCompactToken(`${encoded(given)}.${body}.${signature}`)).toBe(fault);
  });

  it.each<[string, unknown]>([
    ['no kid', { alg: 'ES256' }],
    ['a kid in base64', { alg: 'ES256', kid: 'abc+/d==' }],
    ['the type of access tokens', { alg: 'ES256', typ: 'at+JWT' }],
    ['the whole type', { alg: 'ES256', typ: 'application/at+jwt' }],
    ['keys of its own, which nobody reads', { alg: 'ES256', jwk: { kty: 'oct' }, jku: 'https://a.test/', x5c: ['a'] }],
  ])('takes a header with %s', (_name, given) => {
    expect(readCompactToken(`${encoded(given)}.${body}.${signature}`)).toBeTypeOf('object');
  });
});

describe('parseUniqueJson', () => {
  const parse = (bytes: string | Uint8Array) => parseUniqueJson(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);

  it('takes objects in which names repeat in different places only', () => {
    expect(parse('{"a":{"a":1},"b":[{"a":"a"},{"a":"a:a"}], "c" : "\\"c\\":"}')).toEqual({
      a: { a: 1 },
      b: [{ a: 'a' }, { a: 'a:a' }],
      c: '"c":',
    });
  });

  it.each<[string, string | Uint8Array]>([
    ['a name twice', '{"a":1,"b":2,"a":3}'],
    ['a name twice around an object', '{"a":{"b":1},"a":2}'],
    ['a name twice within a list', '{"a":[{"b":1,"b":2}]}'],
    ['a byte order mark', '\ufeff{}'],
    ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
    ['more than one value', '{}{}'],
    ['a comment', '{}//'],
    ['too much depth', nested(JSON_DEPTH_MAX + 1)],
    ['depth without end', nested(8000)],
  ])('takes no text with %s', (_name, bytes) => {
    expect(parse(bytes)).toBeUndefined();
  });

  it('takes the greatest depth', () => {
    expect(parse(nested(JSON_DEPTH_MAX))).toBeDefined();
  });
});
