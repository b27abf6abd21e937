import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** CA certificates. Source: wire contract, Certificates, consumers, vaults. */
export const caCertificates: Family = {
  name: 'ca-certificates',
  singular: 'ca_certificate',
  summary: 'CA certificates: whom gateways trust',
  scope: 'gateway',
  access: { read: 'read', write: 'write' },
  fields: {
    name: v.optional(v.pipe(field.name, v.description('Unique in the gateway'))),
    description: field.description,
    labels: field.labels,
    cert: v.pipe(v.string(), v.maxLength(65_536), v.description('PEM of one certificate of an authority')),
  },
  readOnlyFields: {},
  references: [],
  keys: [{ name: 'name', fields: ['name'], scope: 'gateway', addressable: true }],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'ca_certificates', level: 2 },
  deliveredToGateways: false,
};
