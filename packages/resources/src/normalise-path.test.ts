import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalisePath } from './index.ts';

describe('normalisePath', () => {
  it.each([
    ['/', '/'],
    ['/a/b', '/a/b'],
    ['/a/', '/a/'],
    ['/%61%2f%7e', '/a%2F~'],
    ['/a/./b/../c', '/a/c'],
    ['/a/%2e%2E/b', '/b'],
    ['/../../etc', '/etc'],
    ['/a/..', '/'],
    ['/a/.', '/a/'],
    ['//a///b', '/a/b'],
    ['/a%2Fb', '/a%2Fb'],
    ['/%252e%252e/a', '/%252e%252e/a'],
    ['/.well-known/x', '/.well-known/x'],
    ['/...', '/...'],
    ['/a;v=1/b', '/a;v=1/b'],
    ['/caf\u00c3\u00a9', '/caf%C3%A9'],
    ['/a{b}', '/a%7Bb%7D'],
    ['/a%20b', '/a%20b'],
  ])('%s becomes %s', (raw, path) => {
    expect(normalisePath(raw)).toBe(path);
  });

  it.each([
    ['', 'malformed_path'],
    ['a', 'malformed_path'],
    ['*', 'malformed_path'],
    ['/%', 'malformed_path'],
    ['/%4', 'malformed_path'],
    ['/%zz', 'malformed_path'],
    ['/a#b', 'malformed_path'],
    ['/a\u0001', 'malformed_path'],
    ['/a\\b', 'refused_path'],
    ['/%5c', 'refused_path'],
    ['/%00', 'refused_path'],
    ['/a/..;/b', 'refused_path'],
    ['/a/..;x=1', 'refused_path'],
    ['/a/%2e%2e;/b', 'refused_path'],
    ['/a/..%3b/b', 'refused_path'],
  ])('%s is refused as %s', (raw, code) => {
    expect(normalisePath(raw)).toMatchObject({ code });
  });

  it('changes nothing when applied again, and leaves no dot segment, double slash or lower-case escape', () => {
    const piece = fc.constantFrom(
      '/',
      '.',
      '..',
      'a',
      '%2e',
      '%2F',
      '%41',
      '%c3',
      ';',
      '//',
      '~',
      ' '.trim(),
      '%25',
      '{',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const once = normalisePath(`/${pieces.join('')}`);
        if (typeof once !== 'string') return;
        expect(normalisePath(once)).toBe(once);
        expect(once).not.toMatch(/\/\.{1,2}(?:\/|$)|\/\/|%[0-9A-F]?[a-f]/);
      }),
    );
  });
});
