import { describe, expect, it } from 'vitest';
import { ResponseReader } from './response-reader.ts';

const counted = 'HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 5\r\n\r\nhello';
const empty = 'HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n';
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n';
const chunkedEmpty = 'HTTP/1.1 401 Unauthorized\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n';

describe('ResponseReader', () => {
  it.each([
    ['a counted body', counted, 200],
    ['an empty body', empty, 204],
    ['chunks', chunked, 200],
    ['no chunk but the last', chunkedEmpty, 401],
  ])('finds the end of %s, however the bytes are cut', (_case, text, status) => {
    for (let cut = 1; cut < text.length; cut += 1) {
      const reader = new ResponseReader();
      expect(reader.read(Buffer.from(text.slice(0, cut)))).toBe('incomplete');
      expect(reader.read(Buffer.from(text.slice(cut)))).toBe('complete');
      expect(reader.status).toBe(status);
    }
  });

  it('reads one response after the other on a connection', () => {
    const reader = new ResponseReader();
    const seen = [counted, chunked, empty, chunkedEmpty, counted].map((text) => {
      expect(reader.read(Buffer.from(text))).toBe('complete');
      return reader.status;
    });
    expect(seen).toEqual([200, 200, 204, 401, 200]);
  });

  it.each([
    ['something other than HTTP', 'SSH-2.0-x\r\n\r\n'],
    ['a response that ends with the connection', 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello'],
    ['more bytes than announced', `${counted}!`],
    ['a head without an end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(5000)}`],
  ])('refuses %s', (_case, text) => {
    expect(new ResponseReader().read(Buffer.from(text))).toBe('malformed');
  });
});
