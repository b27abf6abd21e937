import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EgressError } from '../egress-error.ts';
import { readHost, readUrl, urlLengthMax } from './read-url.ts';

describe('the address of a call', () => {
  it.each([
    ['http://name.test', { isTls: false, host: 'name.test', port: 80, origin: 'http://name.test', path: '/' }],
    [
      'HTTPS://Name.Test.:443/A?b#c',
      { isTls: true, host: 'name.test', port: 443, origin: 'https://name.test', path: '/A?b' },
    ],
    [
      'http://a_b.test:81/%2e/x',
      { isTls: false, host: 'a_b.test', port: 81, origin: 'http://a_b.test:81', path: '/x' },
    ],
    [
      'http://bücher。test/',
      { isTls: false, host: 'xn--bcher-kva.test', port: 80, origin: 'http://xn--bcher-kva.test', path: '/' },
    ],
    [
      'https://[2606:4700:0::1111]:8443',
      { isTls: true, host: '2606:4700::1111', port: 8443, origin: 'https://[2606:4700::1111]:8443', path: '/' },
    ],
    ['http://010.8.0x8.8', { isTls: false, host: '8.8.8.8', port: 80, origin: 'http://8.8.8.8', path: '/' }],
  ])('is read (%s)', (text, target) => {
    expect(readUrl(text)).toEqual(target);
  });

  it.each([
    '',
    'name.test',
    '/path',
    'http:name.test',
    'http://',
    'http://name.test:0/',
    'http://name.test:65536/',
    'http://user@name.test/',
    'http://:word@name.test/',
    'http://name.test/a b',
    'http://name.test/\u00a0',
    'http://name.test\\@other.test/',
    'http://na\tme.test/',
    'http://name.test/\u0000',
    'http://a..test/',
    'http://name.test../',
    'http://-name.test/',
    'http://na!me.test/',
    'http://na*me.test/',
    `http://${'a'.repeat(64)}.test/`,
    `http://${'a.'.repeat(126)}test/`,
    `http://name.test/${'a'.repeat(urlLengthMax)}`,
    'http://256.0.0.1/',
    'http://1.2.3.4.5/',
    'http://[::1%25lo]/',
    'http://[v1.a]/',
    'ftp://name.test/',
    'javascript://name.test/',
  ])('is refused (%j)', (text) => {
    expect(() => readUrl(text)).toThrow(EgressError);
  });

  it('that is read once says the same when it is read again', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
        const target = readUrl(text);
        expect(readUrl(`${target.origin}${target.path}`)).toEqual(target);
      }),
    );
  });

  it('is read or refused, and nothing else, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
        for (const read of [readUrl, readHost, (host: string) => readUrl(`http://${host}/`)]) {
          try {
            read(text);
          } catch (error) {
            expect(error).toMatchObject({ code: 'refused', name: 'EgressError' });
          }
        }
      }),
      { numRuns: 1000 },
    );
  });
});

it.each([
  ['Name.Test.', 'name.test'],
  ['0x7f.1', '127.0.0.1'],
  ['::FFFF:1.2.3.4', '::ffff:102:304'],
  ['[fd00::0:1]', 'fd00::1'],
])('the host of another protocol is read as that of a URL (%s)', (text, host) => {
  expect(readHost(text)).toBe(host);
});
