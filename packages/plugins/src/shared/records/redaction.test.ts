import { describe, expect, it } from 'vitest';
import { redactedHeader, redactedQuery } from './redaction.ts';

describe('what is logged of a header', () => {
  it.each([
    ...['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key', 'apikey', 'x-auth-token'],
    ...['x-amz-security-token', 'x-vault-token', 'x-client-secret', 'x-user-password', 'x-passwd', 'x-session-id'],
    ...['x-sig', 'x-sig-v1', 'x-pin', 'x_pin', 'x-pwd', 'x-pass', 'x-bearer', 'dpop'],
    ...['x-hub-signature-256', 'x-csrf-token', 'x-jwt-assertion', 'x-forwarded-client-cert', 'www-authenticate'],
  ])('is nothing of %s', (name) => {
    expect(redactedHeader(name, 'canary')).toBe('***');
  });

  it.each([
    ['accept', 'text/html', 'text/html'],
    ['user-agent', 'curl/8', 'curl/8'],
    ['x-pinned', 'a', 'a'],
    ['x-signal', 'a', 'a'],
    ['x-original-url', '/a?token=canary', '/a?***'],
    ['x-forwarded-uri', '/a?token=canary', '/a?***'],
    ['origin', 'http://u:canary@x', 'http://***@x'],
    ['x-request-id', 'abc', 'abc'],
    ['referer', 'https://a.test/b?token=canary', 'https://a.test/b?***'],
    ['referer', 'https://a.test/b#access_token=canary', 'https://a.test/b#***'],
    ['location', 'https://user:canary@a.test/b', 'https://***@a.test/b'],
    ['location', '/plain', '/plain'],
  ])('is of %s: %s', (name, value, logged) => {
    expect(redactedHeader(name, value)).toBe(logged);
  });
});

describe('what is logged of a query', () => {
  it.each([
    ['', ''],
    ['a=1', 'a=***'],
    ['a=1&b=2&a=3', 'a=***&b=***&a=***'],
    ['token', '***'],
    ['a=b=c', 'a=***'],
    ['&&', '***&***&***'],
    ['=canary', '=***'],
  ])('is of %j: %j', (query, logged) => {
    expect(redactedQuery(query, 100)).toBe(logged);
  });

  it('is no more than its bound, and no part of a value at the cut', () => {
    expect(redactedQuery(`a=${'x'.repeat(500)}`, 100)).toBe('a=***');
    expect(redactedQuery('n&'.repeat(500), 100).length).toBe(100);
  });
});
