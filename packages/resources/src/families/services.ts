import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';
import { exactlyOneOf } from '../rules.ts';

/** Protocols that a service's address may have. */
export const serviceProtocols = ['http', 'https'] as const;

const millisecondsMax = 2_147_483_646;

/** The parts of a service's address, or `undefined` when the text is none that a gateway can call. */
export function parseServiceUrl(
  text: string,
): { protocol: (typeof serviceProtocols)[number]; host: string; port: number; path: string } | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const protocol = serviceProtocols.find((known) => url?.protocol === `${known}:`);
  if (!url || !protocol || !url.hostname || url.username || url.password || url.hash || url.search) return undefined;
  const port = url.port === '' ? (protocol === 'https' ? 443 : 80) : Number(url.port);
  return { protocol, host: url.hostname, port, path: url.pathname };
}

/** Services. Source: spec, Routing and identity resources; wire contract, Gateways, services, routes. */
export const services: Family = {
  name: 'services',
  singular: 'service',
  summary: 'Services: the destinations that routes lead to',
  scope: 'gateway',
  access: { read: 'read', write: 'write' },
  fields: {
    name: field.name,
    description: field.description,
    labels: field.labels,
    enabled: field.enabled,
    url: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(2048, 'must be at most 2048 characters'),
        v.check(
          (text) => parseServiceUrl(text) !== undefined,
          'must be an http or https address without user, password, query or fragment',
        ),
        v.description('Direct destination; used instead of an upstream'),
      ),
    ),
    upstream_id: v.optional(v.pipe(field.reference, v.description('Managed backend pool; used instead of url'))),
    retries: field.integer(0, 32_767, 5, 'How often a failed connection is tried again'),
    connect_timeout: field.integer(1, millisecondsMax, 60_000, 'Milliseconds to connect'),
    read_timeout: field.integer(1, millisecondsMax, 60_000, 'Milliseconds between two reads from the upstream'),
    write_timeout: field.integer(1, millisecondsMax, 60_000, 'Milliseconds between two writes to the upstream'),
  },
  readOnlyFields: {
    protocol: v.pipe(v.picklist(serviceProtocols), v.description('Scheme of url; http for an upstream')),
    host: v.optional(v.pipe(v.string(), v.description('Host of url'))),
    port: v.optional(v.pipe(v.number(), v.description('Port of url, also when it is the default one'))),
    path: v.pipe(v.string(), v.description('Path of url, put before every forwarded path')),
  },
  rules: [exactlyOneOf('url', 'upstream_id')],
  references: [
    {
      field: 'upstream_id',
      family: 'upstreams',
      nameField: 'upstream_name',
      nameScope: 'gateway',
      whenTargetIsDeleted: 'restrict',
    },
  ],
  keys: [{ name: 'name', fields: ['name'], scope: 'gateway', addressable: true }],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'services', level: 4 },
  deliveredToGateways: true,
};
