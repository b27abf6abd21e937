import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';

/** A certificate that signs itself, and its private key, as PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

const oid = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
} as const;

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicKey = keys.publicKey.export({ type: 'spki', format: 'der' });
const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/**
 * Makes a real certificate, each with a serial number of its own and so with another fingerprint. All share one key: what
 * is tested is how certificates are stored, not how strong they are. Source: RFC 5280, 4.1.
 */
export function makeCertificate(name: string, kind: 'leaf' | 'authority'): CertificatePair {
  const signatureAlgorithm = sequence(objectId(oid.ecdsaWithSha256));
  const subject = sequence(der(0x31, sequence(objectId(oid.commonName), der(0x0c, Buffer.from(name.slice(0, 64))))));
  const validity = sequence(der(0x17, Buffer.from('250101000000Z')), der(0x17, Buffer.from('450101000000Z')));
  const serial = der(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)]));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    serial,
    signatureAlgorithm,
    subject,
    validity,
    subject,
    publicKey,
    der(0xa3, sequence(kind === 'authority' ? authorityExtension() : hostExtension(name))),
  );
  const signature = sign('sha256', toBeSigned, { key: keys.privateKey, dsaEncoding: 'der' });
  const signed = sequence(toBeSigned, signatureAlgorithm, der(0x03, Buffer.of(0), signature));
  return { cert: new X509Certificate(signed).toString(), key: privateKey };
}

function authorityExtension(): Buffer {
  const isAuthority = sequence(der(0x01, Buffer.of(0xff)));
  return sequence(objectId(oid.basicConstraints), der(0x01, Buffer.of(0xff)), der(0x04, isAuthority));
}

function hostExtension(name: string): Buffer {
  const names = sequence(der(0x82, Buffer.from(`${name}.test`)));
  return sequence(objectId(oid.subjectAltName), der(0x04, names));
}

function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

/** One value of the distinguished encoding rules: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...head), content]);
}
