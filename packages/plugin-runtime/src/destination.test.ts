import { describe, expect, it } from 'vitest';
import { destinationOf, type RequestEdits } from './index.ts';
import { exchangeOf } from './testing/fixtures.ts';

/** The destination of a request after these edits. */
function after(...edits: readonly RequestEdits[]): string | undefined {
  const exchange = exchangeOf();
  for (const one of edits) exchange.applyRequestEdits(one);
  return exchange.request.destination?.origin;
}

describe('the destination of a request', () => {
  it.each([
    ['https://api.test', 'https://api.test'],
    ['HTTPS://Api.Test:443', 'https://api.test'],
    ['http://10.0.0.7:8080', 'http://10.0.0.7:8080'],
    ['http://[2001:db8::1]:81', 'http://[2001:db8::1]:81'],
    ['http://0x7f.1', 'http://127.0.0.1'],
  ])('%s is the origin %s', (origin, read) => {
    expect([after({ destination: { origin } }), after({ destination: destinationOf(origin) })]).toEqual([read, read]);
  });

  it.each([
    ...[
      'https://api.test/',
      'https://api.test/base',
      'https://api.test?x',
      'https://api.test#x',
      'api.test',
      '//api.test',
    ],
    ...['ftp://api.test', 'file:///etc/passwd', 'https://user@api.test', 'https://user:pass@api.test', 'https://', ''],
    ...[
      'https://a b',
      'https://a\tb',
      'https://a\nb',
      ' https://api.test',
      'https:\\\\api.test',
      'https://api.test:99999',
      'https://api.test:0',
    ],
    ...['https://api.test\0', `https://${'a'.repeat(300)}.test`, 7, null, undefined],
  ])('%j is none, and nothing of such edits counts', (origin) => {
    const exchange = exchangeOf();
    const edits = { path: '/other', destination: { origin } } as RequestEdits;
    expect(() => exchange.applyRequestEdits(edits)).toThrow('a destination is an origin');
    expect([exchange.request.path, exchange.request.destination]).toEqual(['/', undefined]);
  });

  it.each([['a text'], [7], [null]])('%j is no object with an origin', (destination) => {
    const edits = { destination } as unknown as RequestEdits;
    expect(() => exchangeOf().applyRequestEdits(edits)).toThrow('a destination is');
  });

  it('is what the last edit says; edits without one leave it', () => {
    const [first, last] = [destinationOf('https://first.test'), destinationOf('https://last.test')];
    expect(after({ destination: first }, { destination: last }, { path: '/x' })).toBe('https://last.test');
    expect(after({ path: '/x' })).toBeUndefined();
  });

  it('is not the hook’s to change afterwards', () => {
    const given = { origin: 'https://one.test' };
    const exchange = exchangeOf();
    exchange.applyRequestEdits({ destination: given });
    given.origin = 'https://two.test';
    expect(exchange.request.destination?.origin).toBe('https://one.test');
  });

  it('is read once where it is a constant', () => {
    const destination = Object.freeze({ origin: 'https://one.test' });
    const [one, other] = [exchangeOf(), exchangeOf()];
    for (const exchange of [one, other]) exchange.applyRequestEdits({ destination });
    expect(one.request.destination).toBe(other.request.destination);
    const made = destinationOf('https://one.test');
    one.applyRequestEdits({ destination: made });
    expect(one.request.destination).toBe(made);
  });
});

describe('the path that is joined to a service’s', () => {
  it.each([
    ['/orders/7', 0, undefined, '/orders/7'],
    ['/orders/7', 7, undefined, '/7'],
    ['/orders', 7, undefined, ''],
    ['/orders/7', 7, '/mine', '/mine'],
    ['/v12', 2, undefined, '/12'],
  ])('of %s without %d characters, edited to %s, is %s', (path, strippedLength, edited, left) => {
    const exchange = exchangeOf({ path, strippedLength });
    if (edited !== undefined) exchange.applyRequestEdits({ path: edited });
    expect(exchange.request.forwardedPath).toBe(left);
  });
});
