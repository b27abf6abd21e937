import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';
import { serviceProtocols } from '../service-urls.ts';
import { maxCharacters, minCharacters } from '../text-length.ts';
import { hashFields, hashRules } from './hashing.ts';
import { healthChecks } from './health-checks.ts';
import { clientCertificate } from './tls-references.ts';

/** How a target is chosen. Source: wire contract, Upstreams, targets, health. */
export const balancingAlgorithms = ['round-robin', 'least-connections', 'consistent-hashing', 'latency'] as const;

/** Upstreams: pools of targets. Source: wire contract, Upstreams, targets, health. */
export const upstreams: Family = {
  name: 'upstreams',
  singular: 'upstream',
  summary: 'Upstreams: pools of targets that a service balances over',
  scope: 'gateway',
  access: { read: 'read', write: 'write' },
  fields: {
    name: field.name,
    description: field.description,
    labels: field.labels,
    algorithm: v.optional(
      v.pipe(v.picklist(balancingAlgorithms), v.description('How a target is chosen')),
      'round-robin',
    ),
    ...hashFields,
    slots: field.integer(10, 65_536, 10_000, 'Places on the ring of consistent hashing that targets share'),
    host_header: v.optional(
      v.pipe(
        v.string(),
        minCharacters(1),
        maxCharacters(253),
        v.regex(/^[A-Za-z0-9._:[\]-]+$/, 'must be a host'),
        v.description('Host sent to targets'),
      ),
    ),
    protocol: v.optional(
      v.pipe(
        v.picklist(serviceProtocols, `must be one of ${serviceProtocols.join(', ')}`),
        v.description(
          'How targets are called; grpc and grpcs are HTTP/2 for any request, in cleartext and over TLS; tcp and tls carry connections',
        ),
      ),
      'http',
    ),
    client_certificate_id: clientCertificate.field,
    healthchecks: healthChecks,
  },
  readOnlyFields: {},
  rules: hashRules,
  references: [clientCertificate.reference],
  keys: [{ name: 'name', fields: ['name'], scope: 'gateway', addressable: true }],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'upstreams', level: 3 },
  deliveredToGateways: true,
};
