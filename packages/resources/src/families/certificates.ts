import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** Certificates. Source: wire contract, Certificates, consumers, vaults. */
export const certificates: Family = {
  name: 'certificates',
  singular: 'certificate',
  summary: 'Certificates: what gateways present to clients and to upstreams',
  scope: 'gateway',
  access: { read: 'read', write: 'write' },
  fields: {
    name: v.optional(v.pipe(field.name, v.description('Unique in the gateway'))),
    description: field.description,
    labels: field.labels,
    cert: v.pipe(v.string(), v.maxLength(65_536), v.description('PEM; the leaf first, then its chain')),
    key: v.pipe(
      v.string(),
      v.maxLength(65_536),
      v.metadata({ 'x-secret': true }),
      v.description('PEM of the private key of cert'),
    ),
  },
  readOnlyFields: {},
  references: [],
  keys: [{ name: 'name', fields: ['name'], scope: 'gateway', addressable: true }],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'certificates', level: 2 },
  deliveredToGateways: false,
};
