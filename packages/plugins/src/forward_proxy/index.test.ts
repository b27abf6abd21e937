import { describe, expect, it } from 'vitest';
import { testPlugin } from '@portcullis/plugin-runtime/testing';
import { exchangeOf, PluginBench } from '../testing/plugin-bench.ts';
import { forwardProxy } from './index.ts';

/** Where a request ends up. */
async function sentTo(forwardUrl: string, path = '/orders/7', query = ''): Promise<string> {
  const bench = new PluginBench(forwardProxy, { forward_url: forwardUrl });
  const { result, exchange } = await bench.request({ path, query });
  expect(result).toBe('continue');
  const { request } = exchange;
  return `${request.destination?.origin}${request.path}${request.query === '' ? '' : `?${request.query}`}`;
}

describe('forward_proxy', () => {
  it.each([
    ['https://a.test', '/orders/7', '', 'https://a.test/orders/7'],
    ['https://a.test/', '/orders/7', 'x=1&y=%20', 'https://a.test/orders/7?x=1&y=%20'],
    ['https://a.test/v2', '/orders/7', '', 'https://a.test/v2/orders/7'],
    ['https://a.test/v2/', '/orders/7', '', 'https://a.test/v2/orders/7'],
    ['HTTP://A.Test/v2', '/x', '', 'http://a.test/v2/x'],
    ['http://a.test:8080/v2//', '/', '', 'http://a.test:8080/v2/'],
    ['http://a.test:80/a/../b%2Fc', '/x%2Fy', '', 'http://a.test/b%2Fc/x%2Fy'],
    ['https://[2001:db8::1]:8443/v2', '/x', '', 'https://[2001:db8::1]:8443/v2/x'],
    ['https://bücher.test/ü', '/x', '', 'https://xn--bcher-kva.test/%C3%BC/x'],
  ])('to %s sends %s with the query "%s" to %s', async (forwardUrl, path, query, expected) => {
    expect(await sentTo(forwardUrl, path, query)).toBe(expected);
  });

  it.each([
    ['/orders', '/orders/7', 'https://a.test/v2/7'],
    ['/orders', '/orders', 'https://a.test/v2'],
    ['', '/orders', 'https://a.test/v2/orders'],
  ])('behind a route that strips "%s" sends %s to %s', async (stripped, path, expected) => {
    const bench = new PluginBench(forwardProxy, { forward_url: 'https://a.test/v2' });
    const exchange = exchangeOf({ path, strippedLength: stripped.length });
    expect(await bench.chain.runRequest(exchange)).toBe('continue');
    expect(`${exchange.request.destination?.origin}${exchange.request.path}`).toBe(expected);
  });

  it('leaves method, fields and body as they are', async () => {
    const test = testPlugin(forwardProxy.plugin, { config: { forward_url: 'https://a.test' } });
    const headers = { authorization: 'Bearer t', 'x-own': 'o' };
    const answer = await test.send({ method: 'PUT', url: 'http://api.test/a?b=c', headers, body: 'text' });
    expect(answer.forwarded).toMatchObject({
      ...{ method: 'PUT', path: '/a', query: 'b=c', destination: 'https://a.test', headers, body: 'text' },
    });
  });

  it.each([
    ['nothing', undefined, 'is required'],
    ['no text', 7, 'must be text'],
    ['an empty text', '', 'must begin with http:// or https://'],
    ['a path', '/v2', 'must begin with http:// or https://'],
    ['another scheme', 'ftp://a.test', 'must begin with http:// or https://'],
    ['a script', 'javascript:alert(1)', 'must begin with http:// or https://'],
    ['no host', 'https:///v2', 'must begin with http:// or https://'],
    ['a user', 'https://user@a.test', 'must begin with http:// or https://'],
    ['a user and a password', 'https://user:secret@a.test/', 'must begin with http:// or https://'],
    ['a query', 'https://a.test/?x=1', 'must begin with http:// or https://'],
    ['a fragment', 'https://a.test/#x', 'must begin with http:// or https://'],
    ['a space', 'https://a.test/a b', 'must begin with http:// or https://'],
    ['a line break', 'https://a.test/\nx', 'must begin with http:// or https://'],
    ['a backslash', 'https://a.test\\@b.test', 'must begin with http:// or https://'],
    ['a port that is none', 'https://a.test:99999', 'must be the address of a server'],
    ['port 0', 'https://a.test:0', 'must be the address of a server'],
    ['a host that is none', 'https://[::1', 'must be the address of a server'],
    ['too long an address', `https://a.test/${'a'.repeat(2048)}`, 'must have at most 2048 characters'],
  ])('refuses a config with %s', (_name, forwardUrl, message) => {
    const given = forwardUrl === undefined ? {} : { forward_url: forwardUrl };
    expect(forwardProxy.plugin.compile(given)).toMatchObject({
      ok: false,
      issues: [{ pointer: '/forward_url', message: expect.stringContaining(message) as unknown }],
    });
  });

  it('says nothing of the address that it refuses', () => {
    const compiled = forwardProxy.plugin.compile({ forward_url: 'https://user:the-secret@a.test' });
    expect(JSON.stringify(compiled)).not.toContain('the-secret');
  });
});
