import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReference, REFERENCE_LENGTH_MAX } from './reference.ts';

describe('parseReference', () => {
  it.each([
    ['vault://prod/token', 'prod', 'token', undefined],
    ['vault://prod/db/password', 'prod', 'db', 'password'],
    ['vault://prod/apps/orders/db/password', 'prod', 'apps/orders/db', 'password'],
    ['vault://prod/apps/orders/', 'prod', 'apps/orders', undefined],
    ['vault://prod/token/', 'prod', 'token', undefined],
    ['vault://a-1/A.b_c-d/..x', 'a-1', 'A.b_c-d', '..x'],
  ])('reads %s', (text, vault, secret, key) => {
    expect(parseReference(text)).toEqual({ vault, secret, key });
  });

  it.each([
    [''],
    ['vault://'],
    ['vault://prod'],
    ['vault://prod/'],
    ['vault://prod//'],
    ['vault://prod//key'],
    ['vault://prod/a//'],
    ['vault:///secret'],
    ['vault://Prod/secret'],
    ['vault://prod-/secret'],
    ['vault://prod/..'],
    ['vault://prod/../etc/passwd'],
    ['vault://prod/a/../b'],
    ['vault://prod/a/.'],
    ['vault://prod/a%2fb'],
    ['vault://prod/a b'],
    ['vault://prod/a\\b'],
    ['vault://prod/a\u0000'],
    ['vault://prod/a\n'],
    ['vault://prod/a?version=1'],
    ['vault://prod/a#key'],
    ['vault://user@prod/a'],
    ['VAULT://prod/a'],
    [' vault://prod/a'],
    ['env://prod/a'],
    [`vault://prod/${'a'.repeat(129)}`],
    [`vault://prod${'/a'.repeat(10)}`],
    [`vault://prod/${'a/'.repeat(300)}`],
  ])('refuses %j', (text) => {
    expect(parseReference(text)).toBeUndefined();
  });

  it('reads back what it takes, and never a path that leads elsewhere', () => {
    const part = fc.stringMatching(/^[a-z./-]{0,6}$/);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const text = `vault://${parts.join('/')}`;
        const read = parseReference(text);
        if (read === undefined) return;
        const names = read.secret.split('/');
        expect(names.every((name) => name !== '' && !/^\.+$/.test(name))).toBe(true);
        expect(text.length).toBeLessThanOrEqual(REFERENCE_LENGTH_MAX);
        const again = `vault://${read.vault}/${read.secret}${read.key === undefined ? '' : `/${read.key}`}`;
        expect(text === again || text === `${again}/`).toBe(true);
      }),
    );
  });
});
