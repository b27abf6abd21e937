import * as v from 'valibot';
import type { Family, FamilyRule } from '../family.ts';
import * as field from '../fields.ts';
import { requiredWhen } from '../rules.ts';
import { certificateServerName } from '../server-names.ts';
import { certificateKeyTypes, pemText, privateKeyText, shownText, shownTime } from './certificate-fields.ts';

/** Server names that one certificate may be given in its own record. */
export const certificateSnisMax = 256;

const serverNames = v.optional(
  v.pipe(
    v.array(certificateServerName),
    v.maxLength(certificateSnisMax, `must have at most ${certificateSnisMax} items`),
    v.check((names) => new Set(names).size === names.length, 'must not repeat an item'),
    v.description(
      'Names of the SNI records that point to it. A write makes exactly these; without the field they stay as they are. Left out where more point to it, or more than 10,000 to the certificates of one answer',
    ),
  ),
);

const bothAlternatives: readonly FamilyRule[] = [
  requiredWhen('key_alt', (record) => typeof record['cert_alt'] === 'string', 'with cert_alt'),
  requiredWhen('cert_alt', (record) => typeof record['key_alt'] === 'string', 'with key_alt'),
];

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
    cert: pemText('PEM; the leaf first, then its chain'),
    key: privateKeyText(
      'PEM of the private key of cert, not encrypted, which reads show as a mask; or where gateways find it: vault://prefix/secret[/key] or env://NAME',
    ),
    cert_alt: v.optional(pemText('PEM like cert, with a key of another type')),
    key_alt: v.optional(privateKeyText('Like key, for cert_alt')),
    snis: serverNames,
  },
  readOnlyFields: {
    subject: shownText('Subject of the leaf of cert, as RFC 4514 writes it'),
    issuer: shownText('Who issued the leaf of cert, as RFC 4514 writes it'),
    serial: shownText('Serial number of the leaf of cert, upper-case hex'),
    not_before: shownTime('From when on the leaf of cert is valid'),
    not_after: shownTime('Until when the leaf of cert is valid'),
    fingerprint_sha256: shownText('SHA-256 of the leaf of cert, lower-case hex'),
    key_type: v.pipe(v.picklist(certificateKeyTypes), v.description('Kind of the key of cert')),
    expires_in_days: v.pipe(
      v.number(),
      v.integer(),
      v.description('Whole days until not_after, by the clock of the control plane; negative once it is past'),
    ),
  },
  rules: bothAlternatives,
  references: [],
  keys: [{ name: 'name', fields: ['name'], scope: 'gateway', addressable: true }],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'certificates', level: 2, sets: ['snis'], matchBy: ['gateway_id', 'cert'] },
  deliveredToGateways: true,
};
