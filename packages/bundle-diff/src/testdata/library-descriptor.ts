import { describeFamilies } from '../describe-families.ts';
import type { FamilyDeclaration } from '../describe-families.ts';
import type { BundleDescriptor, CheckedRecord, RecordProblem } from '../descriptor.ts';
import type { BundleRecord } from '../json-values.ts';

/** A small world to test with: gateways hold upstreams, services and routes; consumers have keys; plugins have no name of their own. */
interface Family extends FamilyDeclaration {
  readonly fields: Readonly<Record<string, { readonly fallback?: unknown; readonly required?: boolean }>>;
}

const common = { readOnlyFields: {}, references: [], keys: [{ fields: ['name'], scope: 'tenant', addressable: true }] };
const inGateway = [{ fields: ['name'], scope: 'gateway', addressable: true }] as const;

const families: readonly Family[] = [
  {
    ...common,
    name: 'gateways',
    scope: 'tenant',
    fields: { name: { required: true }, labels: { fallback: {} }, hosts: { fallback: [] } },
    keys: [{ fields: ['name'], scope: 'tenant', addressable: true }],
    bundle: { key: 'gateways', level: 1, sets: ['hosts'] },
  },
  {
    ...common,
    name: 'consumers',
    scope: 'tenant',
    fields: { username: {}, custom_id: {}, groups: { fallback: [] } },
    fieldAliases: { name: 'username' },
    keys: [
      { fields: ['username'], scope: 'tenant', addressable: true },
      { fields: ['custom_id'], scope: 'tenant' },
    ],
    bundle: { key: 'consumers', level: 1 },
  },
  {
    ...common,
    name: 'upstreams',
    scope: 'gateway',
    fields: { name: { required: true }, slots: { fallback: 10_000 } },
    keys: inGateway,
    bundle: { key: 'upstreams', level: 2 },
  },
  {
    ...common,
    name: 'services',
    scope: 'gateway',
    fields: { name: { required: true }, url: {}, upstream_id: {}, retries: { fallback: 5 } },
    keys: inGateway,
    references: [{ field: 'upstream_id', family: 'upstreams', nameField: 'upstream_name', nameScope: 'gateway' }],
    bundle: { key: 'services', level: 2 },
  },
  {
    ...common,
    name: 'credentials',
    scope: 'tenant',
    fields: { name: { required: true }, consumer_id: { required: true }, type: { required: true }, key: {} },
    readOnlyFields: { key_prefix: {} },
    keys: [
      { fields: ['type', 'name'], scope: { field: 'consumer_id' } },
      { fields: ['key_hash'], scope: 'tenant' },
    ],
    references: [{ field: 'consumer_id', family: 'consumers', nameField: 'consumer_name', nameScope: 'tenant' }],
    bundle: { key: 'credentials', level: 2 },
  },
  {
    ...common,
    name: 'routes',
    scope: 'gateway',
    fields: {
      name: { required: true },
      service_id: {},
      path: {},
      methods: { fallback: [] },
      strip_path: { fallback: true },
      plugins: { fallback: [] },
    },
    keys: inGateway,
    references: [{ field: 'service_id', family: 'services', nameField: 'service_name', nameScope: 'gateway' }],
    bundle: { key: 'routes', level: 3, sets: ['methods'] },
  },
  {
    ...common,
    name: 'plugins',
    scope: 'tenant',
    fields: { name: { required: true }, gateway_id: {}, consumer_id: {}, priority: { fallback: 0 }, config: { fallback: {} } },
    keys: [],
    references: [
      { field: 'gateway_id', family: 'gateways', nameField: 'gateway_name', nameScope: 'tenant' },
      { field: 'consumer_id', family: 'consumers', nameField: 'consumer_name', nameScope: 'tenant' },
    ],
    bundle: { key: 'plugins', level: 4 },
  },
];

/** The descriptor of that world. A plugin's `config.secret` and a credential's `key` are secret; hashes are `#` + the key. */
export const libraryDescriptor: BundleDescriptor = describeFamilies(families, {
  parent: { family: 'gateways', field: 'gateway_id', nameField: 'gateway_name' },
  check,
  isRequired: (family, field) => family.fields[field]?.required === true,
  immutable: (family) => (family.name === 'credentials' ? ['consumer_id', 'type', 'key'] : []),
  writeOnly: (family) => (family.name === 'credentials' ? ['key'] : []),
  secretsOf: (family) => (family.name === 'credentials' ? ['/key'] : family.name === 'plugins' ? ['/config/secret'] : []),
  defaults: ({ fields }) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, { fallback }]) => (fallback === undefined ? [] : [[name, fallback]])),
    ),
  isSameSecret: (_, live, desired, pointer) => pointer === '/key' && live['key_hash'] === `#${String(desired['key'])}`,
});

function check(family: Family, record: BundleRecord): CheckedRecord {
  const twins = new Map(family.references.map(({ field, nameField }) => [field, nameField]));
  const known = new Set(['id', 'gateway_id', ...Object.keys(family.fields), ...twins.values()]);
  const problems: RecordProblem[] = Object.keys(record)
    .filter((field) => !known.has(field))
    .map((field) => ({ pointer: `/${field}`, code: 'unknown_field', message: 'is not a field' }));
  const values: Record<string, unknown> = { ...record };
  for (const [field, { fallback, required }] of Object.entries(family.fields)) {
    if (values[field] === undefined && fallback !== undefined) values[field] = fallback;
    if (values[field] === undefined && required === true && !twins.has(field)) {
      problems.push({ pointer: `/${field}`, code: 'required', message: 'is required' });
    }
  }
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}
