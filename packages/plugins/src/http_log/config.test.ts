import { describe, expect, it } from 'vitest';
import { secretPathsOf } from '../index.ts';
import { httpLog } from './index.ts';

const endpoint = 'https://logs.example.com/in';

describe('the config of http_log', () => {
  it.each([
    ['no endpoint', {}, ''],
    ['two endpoints', { endpoint, http_endpoint: 'https://other.example.com/' }, '/endpoint'],
    ['an endpoint with a password', { endpoint: 'https://a:b@logs.example.com/' }, '/endpoint'],
    ['another scheme', { endpoint: 'ftp://logs.example.com/' }, '/endpoint'],
    ['a file', { endpoint: 'file:///etc/passwd' }, '/endpoint'],
    ['no address', { endpoint: 'logs.example.com' }, '/endpoint'],
    ['a method without a body', { endpoint, method: 'GET' }, '/method'],
    ['a line break in a header', { endpoint, headers: { 'X-A': 'a\r\nX-B: b' } }, '/headers/X-A'],
    [
      'a header of the connection',
      { endpoint, headers: { 'Transfer-Encoding': 'chunked' } },
      '/headers/Transfer-Encoding',
    ],
    ['the media type as a header', { endpoint, headers: { 'content-Type': 'text/plain' } }, '/headers'],
    ['a coding that bodies do not have', { endpoint, headers: { 'Content-Encoding': 'gzip' } }, '/headers'],
    ['a line break in the media type', { endpoint, content_type: 'text/plain\r\nX-B: b' }, '/content_type'],
    ['no media type', { endpoint, content_type: 'json' }, '/content_type'],
    ['no time', { endpoint, timeout: 0 }, '/timeout'],
    ['too much time', { endpoint, timeout: 61 }, '/timeout'],
    ['endless time', { endpoint, timeout: Number.POSITIVE_INFINITY }, '/timeout'],
    ['a header that is none', { endpoint, include_headers: ['two words'] }, '/include_headers'],
    ['a header for IDs that is none', { endpoint, request_id_header: 'a\nb' }, '/request_id_header'],
  ])('may not have %s', (_name, config, pointer) => {
    const compiled = httpLog.plugin.compile(config);
    expect(compiled.ok ? [] : compiled.issues.map((issue) => issue.pointer.startsWith(pointer))).toContain(true);
  });

  it.each([
    ['either name of the endpoint', { http_endpoint: endpoint }],
    ['both with one meaning', { http_endpoint: endpoint, endpoint }],
    ['nulls', { endpoint, http_endpoint: null, headers: null, include_headers: null, timeout: null }],
    ['fractions of a second', { endpoint, timeout: 0.5 }],
    ['all headers', { endpoint, include_headers: true }],
  ])('may have %s', (_name, config) => {
    expect(httpLog.plugin.compile(config)).toMatchObject({ ok: true });
  });

  it('hides the values of headers', () => {
    expect(secretPathsOf('http_log', { endpoint, headers: { Authorization: 'Bearer canary' } })).toEqual([
      '/headers/Authorization',
    ]);
  });
});
