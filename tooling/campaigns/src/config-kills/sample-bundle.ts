import type { Random } from '../random.ts';

/** A record of a bundle. */
export type BundleRecord = Readonly<Record<string, unknown>>;

/** The arrays of a bundle, without the tenant that it is for. */
export type Bundle = Readonly<Record<string, readonly BundleRecord[]>>;

/**
 * A bundle of about `size` records of many families, which refer to each other. Every record has an ID, so that two tenants that
 * get the same bundle hold the same.
 */
export function sampleBundle(size: number, random: Random): Bundle {
  const many = (share: number, make: (index: number) => BundleRecord): readonly BundleRecord[] =>
    Array.from({ length: Math.max(1, Math.round(size * share)) }, (_, index) => make(index));
  const gateways = ['edge', 'inner'].map((name) => ({ id: `gw-${name}`, name }));
  const gateway = (): string => random.pick(gateways).id;
  const upstreams = many(0.04, (index) => ({ id: `up-${index}`, name: `pool-${index}`, gateway_id: gateway() }));
  const services = many(0.1, (index) => {
    const upstream = random.pick(upstreams);
    const place = { id: `sv-${index}`, name: `service-${index}`, gateway_id: upstream['gateway_id'] };
    return random.chance(0.5) ? { ...place, upstream_id: upstream['id'] } : { ...place, url: `http://s${index}.test` };
  });
  const consumers = many(0.16, (index) => ({ id: `co-${index}`, username: `consumer-${index}` }));
  return {
    gateways,
    vaults: many(0.01, (index) => ({ id: `va-${index}`, prefix: `v${index}`, ...vaultOf(index) })),
    cache_store_configs: many(0.01, (index) => ({
      id: `ca-${index}`,
      name: `cache-${index}`,
      driver: 'redis',
      url: 'redis://cache.test:6379',
      password: `password-${index}`,
    })),
    realms: [{ id: 'realm', name: 'both', gateway_ids: gateways.map(({ id }) => id) }],
    upstreams,
    targets: many(0.08, (index) => {
      const { id, gateway_id } = random.pick(upstreams);
      return { id: `ta-${index}`, gateway_id, upstream_id: id, host: `t${index}.test`, port: 8080 };
    }),
    services,
    routes: many(0.35, (index) => {
      const { id, gateway_id } = random.pick(services);
      return { id: `ro-${index}`, name: `route-${index}`, gateway_id, service_id: id, paths: [`/r/${index}`] };
    }),
    consumers,
    consumer_credentials: many(0.16, (index) => ({
      id: `cr-${index}`,
      consumer_id: random.pick(consumers)['id'],
      type: 'hmac',
      key_id: `key-${index}`,
      secret: `secret-of-${index}-0123456789`,
    })),
    consumer_groups: many(0.02, (index) => ({
      id: `gr-${index}`,
      name: `group-${index}`,
      consumers: [...new Set([random.pick(consumers)['id'], random.pick(consumers)['id']])],
    })),
    plugins: many(0.05, (index) => ({
      id: `pl-${index}`,
      name: 'api_key_auth',
      scope: 'service',
      service_id: services[index % services.length]?.['id'],
      config: { valid_keys: [`a-key-of-${index}-0123456789`] },
    })),
  };
}

function vaultOf(index: number): BundleRecord {
  const address = `https://vault-${index}.test`;
  return { driver: 'hashicorp', config: { address, token: `token-${index}` } };
}

/** Families of whose records nothing leaves the bundle: others refer to them. */
const referredTo: ReadonlySet<string> = new Set(['gateways', 'upstreams', 'services', 'consumers']);

/**
 * The bundle a while later: some records are changed, some no longer mentioned, and new ones have come. What refers to records
 * that both have still does.
 */
export function changedBundle(bundle: Bundle, size: number, random: Random): Bundle {
  const changed = Object.entries(bundle).map(([family, records]) => {
    const kept = records.filter(() => referredTo.has(family) || !random.chance(0.1));
    return [family, kept.map((record) => (random.chance(0.25) ? withChange(record, random) : record))] as const;
  });
  const later = Object.fromEntries(changed);
  const gateway = random.pick(bundle['gateways'] ?? [])['id'];
  const fresh = Array.from({ length: Math.ceil(size * 0.1) }, (_, index) => ({
    id: `ne-${index}`,
    name: `new-${index}`,
    gateway_id: gateway,
    paths: [`/new/${index}`],
  }));
  return { ...later, routes: [...(later['routes'] ?? []), ...fresh] };
}

function withChange(record: BundleRecord, random: Random): BundleRecord {
  return { ...record, labels: { changed: String(random.below(1000)) } };
}
