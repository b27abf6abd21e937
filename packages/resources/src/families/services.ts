import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';
import { exactlyOneOf } from '../rules.ts';
import { parseServiceUrl, serviceProtocols } from '../service-urls.ts';
import { maxCharacters } from '../text-length.ts';
import { clientCertificate } from './tls-references.ts';

const millisecondsMax = 2_147_483_646;
const verifyDepthMax = 64;

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
        maxCharacters(2048),
        v.check(
          (text) => parseServiceUrl(text) !== undefined,
          'must be an http, https, grpc or grpcs address without user, password, query or fragment, or tcp or tls with a port and no path',
        ),
        v.description('Direct destination; used instead of an upstream'),
      ),
    ),
    upstream_id: v.optional(v.pipe(field.reference, v.description('Managed backend pool; used instead of url'))),
    retries: field.integer(0, 32_767, 5, 'How often a failed connection is tried again'),
    connect_timeout: field.integer(1, millisecondsMax, 60_000, 'Milliseconds to connect'),
    read_timeout: field.integer(1, millisecondsMax, 60_000, 'Milliseconds between two reads from the upstream'),
    write_timeout: field.integer(1, millisecondsMax, 60_000, 'Milliseconds between two writes to the upstream'),
    tls_verify: v.optional(
      v.pipe(v.boolean(), v.description("Whether the upstream's certificate must be trusted and name its host")),
      true,
    ),
    tls_verify_depth: v.optional(
      v.pipe(
        v.number(),
        v.integer('must be a whole number'),
        v.minValue(0, 'must be at least 0'),
        v.maxValue(verifyDepthMax, `must be at most ${verifyDepthMax}`),
        v.description("Intermediate certificates that the upstream's chain may have; no bound when absent"),
      ),
    ),
    client_certificate_id: clientCertificate.field,
    ca_certificate_ids: field.textList(
      field.name,
      'Whom to trust for the upstream, by ID or name; the authorities of the platform when empty',
    ),
  },
  readOnlyFields: {
    protocol: v.pipe(
      v.picklist(serviceProtocols),
      v.description('Scheme of url; http for an upstream, whose own protocol says how its targets are called'),
    ),
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
    clientCertificate.reference,
    {
      field: 'ca_certificate_ids',
      family: 'ca-certificates',
      many: true,
      nameScope: 'gateway',
      // Letting go would widen trust: without a list the platform's authorities are trusted.
      whenTargetIsDeleted: 'restrict',
    },
  ],
  keys: [{ name: 'name', fields: ['name'], scope: 'gateway', addressable: true }],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'services', level: 4, sets: ['ca_certificate_ids'] },
  deliveredToGateways: true,
};
