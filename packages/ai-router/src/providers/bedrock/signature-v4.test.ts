import { describe, expect, test } from 'vitest';
import { type AwsRequest, awsSegment, signatureV4 } from './signature-v4.ts';

const credential = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const token =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==';

function signed(more: Partial<AwsRequest>, sessionToken?: string): string | undefined {
  const request = {
    host: 'example.amazonaws.com',
    path: '/',
    headers: {},
    body: '',
    region: 'us-east-1',
    service: 'service',
  };
  const headers = signatureV4(
    { ...request, nowMs: Date.parse('2015-08-30T12:36:00Z'), ...more },
    sessionToken === undefined ? credential : { ...credential, sessionToken },
  );
  return headers.at(-1);
}

/** Published by AWS for who writes signers: `post-vanilla`, `post-x-www-form-urlencoded`, `post-sts-header-before`. */
describe('vectors of AWS', () => {
  const scope = 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=';

  test('a request without a body', () => {
    expect(signed({})).toBe(
      `${scope}host;x-amz-date, Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b`,
    );
  });

  test('one with a header and a body', () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(signed({ headers, body: 'Param1=value1' })).toBe(
      `${scope}content-type;host;x-amz-date, Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a`,
    );
  });

  test('one with temporary credentials', () => {
    expect(signed({}, token)).toBe(
      `${scope}host;x-amz-date;x-amz-security-token, Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead`,
    );
  });
});

test('a model whose name has signs in it is signed as the SDK of AWS signs it', () => {
  // Made with @smithy/signature-v4 5.7.5.
  const path = `/model/${awsSegment('anthropic.claude-3-5-sonnet-20241022-v2:0')}/converse`;
  expect(path).toBe('/model/anthropic.claude-3-5-sonnet-20241022-v2%3A0/converse');
  const nowMs = Date.parse('2026-01-02T03:04:05Z');
  const headers = signatureV4(
    {
      host: 'bedrock-runtime.us-east-1.amazonaws.com',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: [{ text: 'x'.repeat(4000) }] }] }),
      region: 'us-east-1',
      service: 'bedrock',
      nowMs,
    },
    { ...credential, sessionToken: 'tok' },
  );
  expect(headers.slice(0, 4)).toEqual(['x-amz-date', '20260102T030405Z', 'x-amz-security-token', 'tok']);
  expect(headers.at(-1)).toContain('Signature=d05f5eaae471b7fcc56dbccf9cbb661c0c738f0f577240511745e4e1f798fa50');
});

test('segments keep letters, digits and -_.~ alone', () => {
  expect(awsSegment("aZ0-_.~/:!'()*é ")).toBe('aZ0-_.~%2F%3A%21%27%28%29%2A%C3%A9%20');
});
