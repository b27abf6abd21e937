import type { MadeCertificate } from '@portcullis/testkit/certificates';
import { describe, expect, it } from 'vitest';
import { readForwardedCertificate } from './forwarded-certificate.ts';
import { benchWith, clientBy, intermediate, root, statusOf } from './made-chains.test-support.ts';

const client = clientBy(intermediate);
const other = clientBy(root, { subject: 'other' });

const escaped = (...certificates: readonly MadeCertificate[]) => encodeURIComponent(pem(...certificates));
const pem = (...certificates: readonly MadeCertificate[]) => certificates.map((one) => one.pem).join('');
const base64 = ({ der }: MadeCertificate) => Buffer.from(der).toString('base64');
const bytes = (certificate: MadeCertificate) => `:${base64(certificate)}:`;

const FORMS: readonly [string, readonly string[]][] = [
  ['PEM, percent-encoded', [escaped(client, intermediate)]],
  [
    'PEM, percent-encoded but for + / =',
    [escaped(client, intermediate).replace(/%2B/g, '+').replace(/%2F/g, '/').replace(/%3D/g, '=')],
  ],
  ['PEM with spaces for line ends', [pem(client, intermediate).replaceAll('\n', ' ').trim()]],
  ['PEM with tabs behind line ends that were removed', [pem(client, intermediate).replaceAll('\n', '\t').trim()]],
  ['PEM in one run', [pem(client, intermediate).replaceAll('\n', '')]],
  [
    'Envoy, certificate and chain',
    [`Hash=00;Cert="${escaped(client)}";Chain="${escaped(client, intermediate)}";Subject="CN=\\"a,b;c\\""`],
  ],
  ['Envoy, chain alone', [`Chain="${escaped(client, intermediate)}"`]],
  [
    'Envoy, the last of several elements',
    [`Cert="${escaped(other)}",By=spiffe://a/b;Cert="${escaped(client)}";Chain="${escaped(intermediate)}"`],
  ],
  [
    'Envoy, in other case and spaces',
    [`cert="${escaped(other)}", hash=1; cert="${escaped(client)}";chain="${escaped(intermediate)}"`],
  ],
  ['RFC 9440', [bytes(client), bytes(intermediate)]],
  ['RFC 9440, several issuers', [bytes(client), `${bytes(intermediate)}, ${bytes(root)}`]],
  ['base64 with issuers', [`${base64(client)},${base64(intermediate)}`]],
];

describe('a forwarded certificate', () => {
  it.each(FORMS)('is read with its issuers from %s', (_name, [value = '', chain]) => {
    const [leaf, issuer] = readForwardedCertificate(value, chain) ?? [];
    expect([leaf, issuer].map((der) => Buffer.from(der ?? []))).toEqual([
      Buffer.from(client.der),
      Buffer.from(intermediate.der),
    ]);
  });

  it.each<[string, string, string?]>([
    ['text', 'hello'],
    ['nothing', ''],
    ['PEM without an end', pem(client).slice(0, 200)],
    ['PEM of another kind', '-----BEGIN PUBLIC KEY-----AAAA-----END PUBLIC KEY-----'],
    ['PEM with a key beside it', `${pem(client)}-----BEGIN PRIVATE KEY-----AAAA-----END PRIVATE KEY-----`],
    ['PEM with other characters within', pem(client).replace('M', '!')],
    ['base64 without padding', 'AAA'],
    ['base64 of another alphabet', 'AA-_'],
    ['a byte sequence without an end', bytes(client).slice(0, -1)],
    ['a byte sequence with parameters', `${bytes(client)};a=1`],
    ['a chain of another form', bytes(client), escaped(intermediate)],
    ['Envoy without a certificate', 'Hash=00;Subject="CN=a"'],
    ['Envoy with an empty certificate', 'Cert=""'],
    ['Envoy with two certificates', `Cert="${escaped(client)}";Cert="${escaped(other)}"`],
    ['Envoy with two in one value', `Cert="${escaped(client, other)}"`],
    ['Envoy with a quote that does not end', `Cert="${escaped(client)}`],
    ['Envoy with an element that has none, after one that has', `Cert="${escaped(client)}",Hash=1`],
    ['Envoy with text behind a quote', `Cert="${escaped(client)}"x;Hash=1`],
  ])('is not read from %s', (_name, value, chain) => {
    expect(readForwardedCertificate(value, chain)).toBeUndefined();
  });

  it('brings its issuers through the plugin, from the field and from its companion', async () => {
    const isFromTrustedPeer = true;
    const headers = [
      'client-cert',
      bytes(client),
      'client-cert-chain',
      bytes(root),
      'Client-Cert-Chain',
      bytes(intermediate),
    ];
    const bench = benchWith({ header_name: 'Client-Cert' });
    expect(statusOf(await bench.request({ headers: headers.slice(0, 2), isFromTrustedPeer }))).toBe(401);
    expect(statusOf(await bench.request({ headers, isFromTrustedPeer }))).toBe(200);
    // Only RFC 9440 knows the companion.
    const plain = ['x-cert', bytes(client), 'client-cert-chain', bytes(intermediate)];
    expect(statusOf(await benchWith({ header_name: 'X-Cert' }).request({ headers: plain, isFromTrustedPeer }))).toBe(
      401,
    );
  });
});
