import { describe, expect, it } from 'vitest';
import { exchangeOf } from '../../testing/plugin-bench.ts';
import { BASIC_HEADER_LENGTH_MAX, readBasicCredentials } from './basic-credentials.ts';

const encoded = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const bytes = (...values: readonly number[]): string => Buffer.from(values).toString('base64');
const read = (...values: string[]) =>
  readBasicCredentials(exchangeOf({ headers: values.flatMap((value) => ['Authorization', value]) }).request.headers);

describe('readBasicCredentials', () => {
  it.each([
    ['the example of RFC 7617', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==', 'Aladdin', 'open sesame'],
    ['its example in UTF-8', 'Basic dGVzdDoxMjPCow==', 'test', '123£'],
    ['the scheme in another case', `bASIC ${encoded('u:p')}`, 'u', 'p'],
    ['several spaces', `Basic   ${encoded('u:p')}`, 'u', 'p'],
    ['colons in the password', `Basic ${encoded('u:p:q::')}`, 'u', 'p:q::'],
    ['no user name', `Basic ${encoded(':p')}`, '', 'p'],
    ['no password', `Basic ${encoded('u:')}`, 'u', ''],
    ['neither', `Basic ${encoded(':')}`, '', ''],
    ['a replacement character that is one', `Basic ${encoded('u:\ufffd')}`, 'u', '\ufffd'],
    ['names beyond the first plane', `Basic ${encoded('🦊:😺')}`, '🦊', '😺'],
  ])('reads %s', (_name, value, username, password) => {
    expect(read(value)).toEqual({ username, password });
  });

  it.each([
    ['an empty header', ''],
    ['another scheme', 'Bearer dTpw'],
    ['a scheme that begins the same', 'Basics dTpw'],
    ['a scheme without a space', 'BasicdTpw'],
  ])('finds none in %s', (_name, value) => {
    expect(read(value)).toBe('no_credentials');
    expect(read()).toBe('no_credentials');
  });

  it.each([
    ['the scheme alone', 'Basic'],
    ['the scheme and a space', 'Basic '],
    ['no base64', 'Basic %%%'],
    ['padding that is missing', 'Basic dTpwcQ'],
    ['bits behind the end', 'Basic dTpwcR=='],
    ['the URL alphabet', `Basic ${Buffer.from('u:??>>').toString('base64url')}`],
    ['white space behind', `Basic ${encoded('u:p')} x`],
    ['something behind the padding', `Basic ${encoded('u:pq')}dTpw`],
    ['no colon', `Basic ${encoded('user')}`],
    ['a line feed', `Basic ${encoded('u:p\n')}`],
    ['a NUL', `Basic ${encoded('u\0:p')}`],
    ['a DEL', `Basic ${encoded('u:p\u007f')}`],
    ['Latin-1', `Basic ${bytes(0x75, 0x3a, 0xa3)}`],
    ['an overlong NUL', `Basic ${bytes(0x75, 0x3a, 0xc0, 0x80)}`],
    ['more than the longest header', `Basic ${encoded(`u:${'p'.repeat(BASIC_HEADER_LENGTH_MAX)}`)}`],
  ])('cannot read %s', (_name, value) => {
    expect(read(value)).toBe('malformed_credentials');
  });

  it('reads no credentials out of two headers, not even when they are the same', () => {
    expect(read(`Basic ${encoded('u:p')}`, `Basic ${encoded('u:p')}`)).toBe('several_credentials');
  });
});
