import { describe, expect, it } from 'vitest';
import { referredIn } from './referred-in.ts';

describe('referredIn', () => {
  const document = {
    a: { $ref: '#/b~1c' },
    'b/c': { $ref: '#/list/1' },
    list: [{}, { end: true }],
    circle: { $ref: '#/circle' },
    away: { $ref: 'https://other.test/a' },
    lost: { $ref: '#/nothing' },
  };

  it('goes over references to where they end', () => {
    expect(referredIn(document)(document.a, '/a')).toEqual({ pointer: '/list/1', value: { end: true } });
  });

  it('gives an object without a reference as it is', () => {
    expect(referredIn(document)({ x: 1 }, '/here')).toEqual({ pointer: '/here', value: { x: 1 } });
  });

  it.each([['circle'], ['away'], ['lost']] as const)('leads nowhere: %s', (name) => {
    expect(referredIn(document)(document[name], `/${name}`)).toBeUndefined();
  });
});
