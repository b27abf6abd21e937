import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import type { GeneratorValue } from 'fast-check';
import type { Bundle, BundleRecord } from './random-bundle.ts';

/** What a record is made from. */
export interface MakerContext {
  readonly g: GeneratorValue;
  /** Its place among the records of its family; makes what is unique unique. */
  readonly index: number;
  readonly hasSecrets: boolean;
  /** What the bundle holds so far: families that others refer to come first. */
  readonly bundle: Bundle;
}

/** A record with what it has to have, or nothing when what it would refer to is not there. */
export interface MadeRecord {
  readonly record: BundleRecord;
  /** Whether nothing but an ID tells it from others. */
  readonly needsId?: true;
}

type Maker = (context: MakerContext) => MadeRecord | undefined;

const pem = (name: string): string =>
  readFileSync(new URL(`../../../../e2e/testdata/${name}.pem`, import.meta.url), 'utf8');
const leaf = { cert: pem('leaf.cert'), key: pem('leaf.key') };
const authorities = [pem('authority.cert'), pem('other-authority.cert')];

/** Names as people and machines give them. */
const words = ['edge', 'Ä b', 'x.y', 'a/b', '日本', 'o\'"n', '%20', 'yes', '0x1', '~'] as const;

function nameFor({ g, index }: MakerContext): string {
  return `${g(fc.constantFrom, ...words)}${index}`;
}

/** One of the records that are there, if there is one. */
function oneOf({ g, bundle }: MakerContext, key: string): BundleRecord | undefined {
  const records = bundle[key] ?? [];
  return records.length === 0 ? undefined : records[g(fc.integer, { min: 0, max: records.length - 1 })];
}

/** A reference by ID where the target has one and the draw says so, else by name. */
function referenceTo(
  { g }: MakerContext,
  target: BundleRecord,
  field: string,
  nameField: string,
  name = 'name',
): BundleRecord {
  const id = target['id'];
  if (id !== undefined && (target[name] === undefined || g(fc.boolean))) return { [field]: id };
  return { [nameField]: target[name] };
}

/** In which gateway a record is: that of another record, or any. */
function placeOf(context: MakerContext, beside?: BundleRecord): BundleRecord {
  if (beside !== undefined) {
    const { gateway_id: id, gateway_name: name } = beside;
    return id === undefined ? { gateway_name: name } : { gateway_id: id };
  }
  const gateway = oneOf(context, 'gateways') ?? {};
  return referenceTo(context, gateway, 'gateway_id', 'gateway_name');
}

function inGateway(context: MakerContext, more: BundleRecord = {}): MadeRecord {
  return { record: { ...placeOf(context), name: nameFor(context), ...more } };
}

/** Two records of one gateway may not be told apart by a name that one of them has not. */
function once(context: MakerContext, key: string, record: BundleRecord): MadeRecord | undefined {
  const others = context.bundle[key] ?? [];
  return others.length === 0 && context.index === 0 ? { record } : undefined;
}

const secretOf = (what: string, index: number): string => `${what}-${index}-0123456789`;

/** How a record of each family that bundles hold is made. */
export const recordMakers: Readonly<Record<string, Maker>> = {
  gateways: (context) => ({ record: { name: nameFor(context) } }),
  vaults: ({ g, index, hasSecrets }) => {
    const prefix = `v${index}`;
    const plain = g(fc.constantFrom, { driver: 'env', config: { prefix: 'APP_' } }, { driver: 'file', config: {} });
    const config = { address: `https://vault${index}.test`, token: secretOf('token', index) };
    return { record: { prefix, ...(hasSecrets ? { driver: 'hashicorp', config } : plain) } };
  },
  'cache-store-configs': (context) => {
    const redis = { driver: 'redis', url: 'redis://cache.test:6379' };
    const secret = { ...redis, password: secretOf('password', context.index) };
    return { record: { name: nameFor(context), ...(context.hasSecrets ? secret : { driver: 'memory' }) } };
  },
  'ai-records': (context) => {
    const kind = context.g(fc.constantFrom, 'policy', 'cache');
    const config = kind === 'policy' ? { allowed_models: ['*'] } : {};
    return { record: { name: nameFor(context), kind, config } };
  },
  certificates: (context) =>
    context.hasSecrets
      ? once(context, 'certificates', { ...placeOf(context), name: nameFor(context), ...leaf })
      : undefined,
  'ca-certificates': (context) => {
    const cert = authorities[context.index];
    return cert === undefined ? undefined : inGateway(context, { cert });
  },
  realms: (context) => {
    const gateway = oneOf(context, 'gateways');
    const entry = gateway?.['id'] ?? gateway?.['name'];
    return { record: { name: nameFor(context), gateway_ids: entry === undefined ? [] : [entry] } };
  },
  consumers: (context) => {
    const custom = { custom_id: `custom-${context.index}` };
    const groups = context.g(fc.constantFrom, [], ['staff'], ['b', 'a']);
    const named = context.g(fc.boolean) ? custom : {};
    return { record: { username: nameFor(context), groups, ...named } };
  },
  upstreams: (context) => inGateway(context),
  snis: (context) => {
    const certificate = oneOf(context, 'certificates');
    if (certificate === undefined) return undefined;
    const target = referenceTo(context, certificate, 'certificate_id', 'certificate_name');
    return { record: { ...placeOf(context, certificate), name: `s${context.index}.shop.test`, ...target } };
  },
  services: (context) => {
    const upstream = context.g(fc.boolean) ? oneOf(context, 'upstreams') : undefined;
    if (upstream === undefined) return inGateway(context, { url: `https://s${context.index}.test/base` });
    const target = referenceTo(context, upstream, 'upstream_id', 'upstream_name');
    return { record: { ...placeOf(context, upstream), name: nameFor(context), ...target } };
  },
  'consumer-credentials': (context) => {
    const consumer = context.hasSecrets ? oneOf(context, 'consumers') : undefined;
    if (consumer === undefined) return undefined;
    const { g, index } = context;
    const secret = secretOf('credential', index);
    const kind = g(
      fc.constantFrom,
      { type: 'api_key', key: secret },
      { type: 'hmac', key_id: `key-${index}`, secret },
      { type: 'jwt', key: `issuer-${index}`, secret },
    );
    const owner = referenceTo(context, consumer, 'consumer_id', 'consumer_name', 'username');
    return { record: { ...owner, name: nameFor(context), ...kind } };
  },
  'consumer-groups': (context) => {
    const consumer = oneOf(context, 'consumers');
    const member = consumer?.['id'] ?? consumer?.['username'];
    return { record: { name: nameFor(context), consumers: member === undefined ? [] : [member] } };
  },
  routes: (context) => {
    const { g, index, hasSecrets } = context;
    const service = g(fc.boolean) ? oneOf(context, 'services') : undefined;
    const target = service === undefined ? {} : referenceTo(context, service, 'service_id', 'service_name');
    const match = g(
      fc.constantFrom,
      { path: `/r${index}` },
      { paths: [`/b${index}`, `/a${index}`] },
      { hosts: ['h.test'] },
    );
    const secret = { name: 'api_key_auth', config: { valid_keys: [secretOf('key', index), secretOf('more', index)] } };
    const plain = { name: 'rate_limiter', config: { minute: index + 1 } };
    const plugins = g(fc.constantFrom, [], [plain], hasSecrets ? [secret, plain] : []);
    return { record: { ...placeOf(context, service), name: nameFor(context), ...match, ...target, plugins } };
  },
  targets: (context) => {
    const upstream = oneOf(context, 'upstreams');
    if (upstream === undefined) return undefined;
    const target = referenceTo(context, upstream, 'upstream_id', 'upstream_name');
    return { record: { ...placeOf(context, upstream), ...target, host: `t${context.index}.test`, port: 8080 } };
  },
  plugins: (context) => {
    const { g, index, hasSecrets } = context;
    const config = hasSecrets && g(fc.boolean);
    const what = config
      ? { name: 'api_key_auth', config: { valid_keys: [secretOf('plugin', index)] } }
      : { name: 'rate_limiter', config: { minute: index + 1 } };
    return { record: { ...what, ...scopeOf(context) }, needsId: true };
  },
};

/** Whose traffic a plugin sees. */
function scopeOf(context: MakerContext): BundleRecord {
  const scope = context.g(fc.constantFrom, 'tenant', 'gateway', 'consumer', 'service');
  if (scope === 'gateway') return { scope, ...placeOf(context) };
  const consumer = scope === 'consumer' ? oneOf(context, 'consumers') : undefined;
  if (consumer !== undefined)
    return { scope, ...referenceTo(context, consumer, 'consumer_id', 'consumer_name', 'username') };
  const service = scope === 'service' ? oneOf(context, 'services') : undefined;
  if (service?.['id'] !== undefined) return { scope, service_id: service['id'] };
  return { scope: 'tenant' };
}
