import { diffBundles, validateBundle } from '@portcullis/bundle-diff';
import { describe, expect, it } from 'vitest';
import { localDescriptor } from './local-descriptor.ts';

const descriptor = localDescriptor();

/** The mistakes of a bundle: place and rule. */
function mistakesOf(records: object): unknown[] {
  const { errors } = validateBundle({ tenant_id: 'acme', ...records }, descriptor);
  return errors.map(({ pointer, code }) => [pointer, code]);
}

describe('a bundle that is checked without a server', () => {
  it('has the configs of vaults looked into', () => {
    const hashicorp = { prefix: 'hc', driver: 'hashicorp', config: { address: 'https://vault.test', token: 't' } };
    expect(mistakesOf({ vaults: [hashicorp, { prefix: 'env', driver: 'env' }] })).toEqual([]);
    expect(
      mistakesOf({
        vaults: [
          { ...hashicorp, config: { address: 'ftp://vault.test', kv_version: 3 } },
          { prefix: 'file', driver: 'file', config: { directory: '../up', token: 't' } },
        ],
      }),
    ).toEqual([
      ['/vaults/0/config/address', 'format'],
      ['/vaults/0/config/token', 'required'],
      ['/vaults/0/config/kv_version', 'one_of'],
      ['/vaults/1/config/directory', 'format'],
      ['/vaults/1/config/token', 'unknown_field'],
    ]);
  });

  it('has the configs of AI records looked into, under all names of their fields', () => {
    const route = { kind: 'model_route', name: 'r', config: { targets: [{ provider: 'p', model: 'm', latency: 5 }] } };
    const cache = { kind: 'cache', name: 'c', config: { embedding: { provider: 'p', model: 'm' } } };
    expect(mistakesOf({ ai_records: [route, cache] })).toEqual([]);
    expect(
      mistakesOf({
        ai_records: [
          { ...route, config: { targets: [] } },
          { ...cache, config: { ttl_seconds: 0, embedding: { provider: 'p', key: 'k' } } },
          { kind: 'policy', name: 'p', config: { group: 'a', consumer_group: 'b' } },
        ],
      }),
    ).toEqual([
      ['/ai_records/0/config/targets', 'min_length'],
      ['/ai_records/1/config/ttl_seconds', 'min_value'],
      ['/ai_records/1/config/embedding/key', 'unknown_field'],
      ['/ai_records/2/config/group', 'contradiction'],
    ]);
  });

  it('is told what is wrong without any value', () => {
    const bundle = {
      tenant_id: 'acme',
      vaults: [{ prefix: 'hc', driver: 'hashicorp', config: { token: ' canary ' } }],
    };
    const { errors } = validateBundle(bundle, descriptor);
    expect(errors.length).toBeGreaterThan(0);
    expect(JSON.stringify(errors)).not.toContain('canary');
  });
});

describe('bundles that are compared without a server', () => {
  const records = (canary: string, marker: string) => ({
    cache_store_configs: [{ id: 's', name: 's', driver: 'redis', url: `redis://${marker}`, password: canary }],
    vaults: [{ id: 'v', prefix: marker, driver: 'hashicorp', config: { address: 'https://a.test', token: canary } }],
    certificates: [{ id: 'c', gateway_id: 'g', name: marker, cert: 'PEM', key: canary }],
    consumer_credentials: [
      { id: 'k', consumer_id: 'u', type: 'api_key', name: marker, key: canary },
      { id: 'j', consumer_id: 'u', type: 'jwt', key: marker, secret: canary },
    ],
    plugins: [{ id: 'p', name: 'cors', priority: 1, config: { 'a/b': [{ deep: canary }], count: 7 } }],
    routes: [{ id: 'r', gateway_id: 'g', name: marker, plugins: [{ name: 'cors', config: { deep: canary } }] }],
  });

  it('show neither new nor old nor changed secrets, and that they changed', () => {
    const [before, after] = [records('canary-old', 'old'), records('canary-new', 'new')];
    for (const [live, desired] of [
      [{}, after],
      [before, after],
    ] as const) {
      const diff = diffBundles(live, desired, descriptor);
      const shown = JSON.stringify(diff);
      expect(shown).not.toContain('canary');
      expect(shown).toContain('new');
      expect(diff.changes).toHaveLength(7);
      for (const { fields } of diff.changes) expect(fields.some((field) => field.secret_changed === true)).toBe(true);
    }
  });
});
