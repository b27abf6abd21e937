import { describe, expect, it } from 'vitest';
import { responseHead } from './response-head.ts';

const request = { method: 'GET', httpVersion: '1.1' } as const;

describe('the head of an answer', () => {
  it('states no length where there is no body, as 204 says', () => {
    const fields = ['Content-Length', '5', 'x-kept', 'yes'];
    expect(responseHead(204, fields, request)).toEqual({ pairs: ['x-kept', 'yes'], length: 0 });
    // What the same request would be answered in full.
    expect(responseHead(304, fields, request)).toEqual({ pairs: fields, length: 5 });
  });

  it('has none of the fields that the connection names, but for the host and what is said of the connection', () => {
    const fields = ['Connection', 'X-Private, host,close , keep-alive,,x-other', 'host', 'a', 'x-private', '1'];
    const kept = ['x-kept', 'yes', 'close', 'no'];
    expect(responseHead(200, [...fields, ...kept, 'X-Other', '2'], request).pairs).toEqual(['host', 'a', ...kept]);
  });
});
