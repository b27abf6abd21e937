import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';
import { pemText, shownText, shownTime } from './certificate-fields.ts';

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
    cert: pemText('PEM of one certificate of an authority'),
  },
  readOnlyFields: {
    cert_digest: shownText('SHA-256 of the certificate, lower-case hex; unique in the gateway'),
    subject: shownText('Subject, as RFC 4514 writes it'),
    not_before: shownTime('From when on it is valid'),
    not_after: shownTime('Until when it is valid'),
  },
  references: [],
  keys: [
    { name: 'name', fields: ['name'], scope: 'gateway', addressable: true },
    { name: 'cert_digest', fields: ['cert_digest'], from: 'cert', scope: 'gateway' },
  ],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'ca_certificates', level: 2, matchBy: ['gateway_id', 'cert'] },
  deliveredToGateways: true,
};
