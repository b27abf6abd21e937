import type { ConsumerIdentity } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { exchangeOf } from '../../testing/plugin-bench.ts';
import { compileClientKey, type ClientKeyFields } from './client-key.ts';

/** The key of a client under a config. */
function keyOf(config: Partial<ClientKeyFields>, consumer: ConsumerIdentity | undefined, clientIp: string): string {
  const exchange = exchangeOf({ clientIp });
  if (consumer !== undefined) exchange.applyRequestEdits({ consumer });
  return compileClientKey({ scope: 'global', ...config })(exchange);
}

const acme = { id: 'c1', groups: ['gold', 'eu'] };
const globex = { id: 'c2', groups: ['gold'] };
const initech = { id: 'c3', groups: ['eu', 'gold'] };
const loner = { id: 'c4', groups: [] };

describe('keys of clients by consumer group', () => {
  const byGroup = { limit_by: 'consumer_group' } as const;
  const inGroup = { limit_by: 'consumer', scope: 'consumer_group' } as const;

  it('are the same for the consumers of one group, by the first group of each', () => {
    expect(keyOf(byGroup, acme, '192.0.2.1')).toBe(keyOf(byGroup, globex, '192.0.2.2'));
    expect(keyOf(byGroup, acme, '192.0.2.1')).not.toBe(keyOf(byGroup, initech, '192.0.2.1'));
  });

  it('are the address of who is in no group, or is nobody', () => {
    expect(keyOf(byGroup, loner, '192.0.2.1')).toBe(keyOf({ limit_by: 'ip' }, undefined, '192.0.2.1'));
    expect(keyOf(byGroup, undefined, '192.0.2.1')).toBe(keyOf(byGroup, loner, '192.0.2.1'));
    expect(keyOf(byGroup, loner, '192.0.2.1')).not.toBe(keyOf(byGroup, loner, '192.0.2.2'));
  });

  it('are apart for each group with that scope, and for each client within it', () => {
    const moved = { ...acme, groups: ['silver'] };
    expect(keyOf(inGroup, acme, '192.0.2.1')).not.toBe(keyOf(inGroup, moved, '192.0.2.1'));
    expect(keyOf(inGroup, acme, '192.0.2.1')).not.toBe(keyOf(inGroup, globex, '192.0.2.1'));
  });
});
