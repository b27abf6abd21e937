import { describe, expect, it } from 'vitest';
import { exchangeOf } from '../testing/plugin-bench.ts';
import { consumerOf } from './consumer-reference.ts';

describe('consumerOf', () => {
  const acme = { id: 'c1', username: 'acme', groups: ['gold'] };
  const consumers = {
    ...exchangeOf({}).consumers,
    findConsumer: (name: string) => ({ acme, gone: 'disabled' as const })[name],
  };

  it("gives the tenant's consumer, and where it has none a consumer of that name without groups", () => {
    expect(consumerOf({ consumers }, 'acme')).toBe(acme);
    expect(consumerOf({ consumers }, 'gone')).toBe('disabled');
    expect(consumerOf({ consumers }, 'other')).toEqual({ id: 'other', groups: [] });
  });
});
