import { testPlugin } from '@portcullis/plugin-runtime/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mistakesOf } from '../testing/bad-configs.ts';
import { PluginBench } from '../testing/plugin-bench.ts';
import { redirect } from './index.ts';
import { locationOf, readTarget, type RedirectTarget } from './target.ts';

async function locationFor(config: object, path: string, query = ''): Promise<string | undefined> {
  const { exchange } = await new PluginBench(redirect, config).request({ path, query });
  return exchange.response.headers.get('location');
}

function target(text: string): RedirectTarget {
  const read = readTarget(text);
  if (typeof read === 'string') throw new Error(read);
  return read;
}

const keeps = { preserve_path: true, preserve_query: true };

describe('redirect', () => {
  it.each([
    ['an address', { url: 'https://new.test/a' }, '/x?y=1', 'https://new.test/a'],
    ['location in place of url', { location: 'https://new.test/a' }, '/x', 'https://new.test/a'],
    ['both with one value', { url: 'https://new.test', location: 'https://new.test' }, '/x', 'https://new.test/'],
    ['a host without a path', { url: 'http://new.test' }, '/x', 'http://new.test/'],
    ['a host with a port', { url: 'http://NEW.test:8080/A' }, '/', 'http://new.test:8080/A'],
    ['a name in another script', { url: 'https://bücher.test/ä' }, '/', 'https://xn--bcher-kva.test/%C3%A4'],
    ['a path on the same host', { url: '/new/home' }, '/x', '/new/home'],
    ['the path', { url: 'https://new.test', preserve_path: true }, '/x/y?z=1', 'https://new.test/x/y'],
    [
      'the path after that of the target',
      { url: 'https://new.test/base', preserve_path: true },
      '/x/',
      'https://new.test/base/x/',
    ],
    ['the path after a slash', { url: 'https://new.test/base/', preserve_path: true }, '/x', 'https://new.test/base/x'],
    ['no path', { url: 'https://new.test/base', preserve_path: true }, '/', 'https://new.test/base'],
    ['the path after a path', { location: '/v2', preserve_path: true }, '/x', '/v2/x'],
    ['the query', { url: 'https://new.test/a', preserve_query: true }, '/x?a=1&b', 'https://new.test/a?a=1&b'],
    ['the query after a query', { url: 'https://new.test/?k=v', ...keeps }, '/x?a=1', 'https://new.test/x?k=v&a=1'],
    ['no query after a query', { url: 'https://new.test/?k=v', ...keeps }, '/x', 'https://new.test/x?k=v'],
    ['a fragment at the end', { url: 'https://new.test/a#top', ...keeps }, '/x?a=1', 'https://new.test/a/x?a=1#top'],
    [
      'what the client escaped',
      { url: 'https://new.test', ...keeps },
      '/a%2Fb%20c?q=%2F%3F',
      'https://new.test/a%2Fb%20c?q=%2F%3F',
    ],
  ])('%s', async (_name, config, asked, location) => {
    const [path = '', query] = asked.split('?');
    expect(await locationFor(config, path, query)).toBe(location);
  });

  it.each([
    ['//evil.test/', 'https://new.test/evil.test/'],
    ['///evil.test', 'https://new.test/evil.test'],
    ['/\\evil.test', 'https://new.test/evil.test'],
    ['/\\/evil.test', 'https://new.test/evil.test'],
    ['/%5Cevil.test', 'https://new.test/%5Cevil.test'],
    ['/%2F%2Fevil.test', 'https://new.test/%2F%2Fevil.test'],
    ['/.//evil.test', 'https://new.test/evil.test'],
    ['/x/..//evil.test', 'https://new.test/evil.test'],
    ['@evil.test', 'https://new.test/@evil.test'],
    ['/@evil.test', 'https://new.test/@evil.test'],
    [':80@evil.test', 'https://new.test/:80@evil.test'],
    ['.evil.test', 'https://new.test/.evil.test'],
    ['/\t/evil.test', 'https://new.test/evil.test'],
    ['/\r\nSet-Cookie: a=b', 'https://new.test/Set-Cookie:%20a=b'],
    ['/a?b#c', 'https://new.test/a%3Fb%23c'],
    ['', 'https://new.test/'],
    ['*', 'https://new.test/*'],
  ])('leads nowhere else with the path %j', (path, location) => {
    expect(locationOf(target('https://new.test'), { path })).toBe(location);
    const onHost = locationOf(target('/'), { path });
    expect(onHost).toBe(location.slice('https://new.test'.length));
    expect(onHost).toMatch(/^\/(?![/\\])/);
  });

  it.each(['/../x', '/%2e%2e/x', '/%2E./x', '/a/../../x', '/.%2e\\x', '/./../x', '/a/%2e%2e/%2e%2e/%2e%2e/x'])(
    'does not leave the path of the target with %s',
    (path) => {
      expect(locationOf(target('https://new.test/base'), { path })).toBe('https://new.test/base/x');
    },
  );

  it('keeps its origin, its path and one header line, whatever is asked for', () => {
    const piece = fc.constantFrom(
      ...['/', '\\', '.', '..', '%2e', '%2E', '%5c', '%2f', '@', ':', '?', '#', ';', '\r', '\n', '\t', ' ', '\0', 'a'],
      ...['evil.test', 'http:', 'https://evil.test', '\u{e9}', '\u{ff0f}', '\u{2044}', '\ud800', '"', '<', '&', '='],
    );
    const any = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));
    const property = fc.property(any, any, (path, query) => {
      for (const [text, base] of [
        ['https://new.test/base', 'https://asked.test'],
        ['/base', 'https://asked.test'],
      ] as const) {
        const location = locationOf(target(text), { path, query });
        expect(location).toMatch(/^[\x21-\x7e]+$/);
        const url = new URL(location, base);
        expect(url.origin).toBe(text.startsWith('/') ? 'https://asked.test' : 'https://new.test');
        expect(url.pathname).toMatch(/^\/base(?:\/|$)/);
        expect(url.hash).toBe('');
      }
    });
    fc.assert(property, { numRuns: 5000 });
  });

  it.each([301, 302, 303, 307, 308])('answers with %i and no body, and forwards nothing', async (status) => {
    const answer = await testPlugin(redirect.plugin, { config: { url: '/n', status_code: status } }).send({
      method: 'POST',
    });
    expect([answer.status, answer.headers['location'], answer.body, answer.forwarded]).toEqual([
      status,
      '/n',
      '',
      undefined,
    ]);
  });

  it('answers with 302 where nothing is said', async () => {
    expect((await testPlugin(redirect.plugin, { config: { url: '/n' } }).send({})).status).toBe(302);
  });

  it.each([
    ['no target', {}, [': needs at least one of url, location']],
    ['two targets', { url: '/a', location: '/b' }, ['/location: is another name of url and says something else']],
    [
      'an empty target',
      { url: '' },
      ['/url: must have at least 1 characters', '/url: must begin with http://, https:// or one /'],
    ],
    ['another scheme', { url: 'javascript:alert(1)' }, ['/url: must begin with http://, https:// or one /']],
    ['an address without a scheme', { url: '//new.test/' }, ['/url: must begin with http://, https:// or one /']],
    ['a backslash', { url: '/\\new.test' }, ['/url: must have no space, control character and backslash']],
    [
      'a tab that URL parsers take out',
      { location: '/\t/new.test' },
      ['/location: must have no space, control character and backslash'],
    ],
    [
      'a header of its own',
      { url: 'https://new.test/\r\nSet-Cookie: a' },
      ['/url: must have no space, control character and backslash'],
    ],
    ['a relative path', { url: 'new/home' }, ['/url: must begin with http://, https:// or one /']],
    ['no host', { url: 'https:///x' }, ['/url: must begin with http://, https:// or one /']],
    ['a port that is none', { url: 'https://new.test:99999/' }, ['/url: must be an address that can be read']],
    ['a user and password', { url: 'https://u:p@new.test/' }, ['/url: must have no user and password']],
    ['a target without end', { url: `/${'a'.repeat(2048)}` }, ['/url: must have at most 2048 characters']],
    [
      'a status that sends nobody',
      { url: '/a', status_code: 304 },
      ['/status_code: must be one of 301, 302, 303, 307, 308'],
    ],
    ['a status in words', { url: '/a', status_code: '302' }, ['/status_code: must be one of 301, 302, 303, 307, 308']],
    ['a flag that is none', { url: '/a', preserve_path: 'no' }, ['/preserve_path: must be true or false']],
  ])('refuses a config with %s', (_name, config, mistakes) => {
    expect(mistakesOf(redirect, config)).toEqual(mistakes);
  });
});
