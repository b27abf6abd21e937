import { BitString } from 'asn1js';
import { BasicConstraints, CertificateChainValidationEngine, ExtKeyUsage } from 'pkijs';
import type { CertificateContent } from './certificate-content.ts';
import { nameKey } from './distinguished-name.ts';
import { EXTENSION } from './extension-ids.ts';
import { hasStrongKey } from './key-strength.ts';
import { isWithinConstraints } from './name-constraints.ts';
import { isStrongSignature } from './signature-strength.ts';

/**
 * Whether a path with good signatures lets the client in, apart from dates. Our own rules come first: the library's engine looks at
 * neither the length that authorities allow, nor purposes, nor strengths, nor a trusted authority's own name constraints. The engine
 * then judges what is left, policies above all. It gets the one path and never searches itself: a circle would keep it busy for ever.
 * @param path from the client's certificate to the trusted one
 */
export async function keepsChainRules(path: readonly CertificateContent[], nowMs: number): Promise<boolean> {
  const [leaf, ...authorities] = path;
  if (leaf === undefined || authorities.length === 0 || !isClient(leaf)) return false;
  const isSound = path.every((certificate, at) => isAcceptable(certificate, at === path.length - 1));
  const areAuthorities = authorities.every((authority, at) => isAuthority(authority, path.slice(1, at + 1)));
  const areNamesAllowed = authorities.every((authority, at) =>
    path.slice(0, at + 1).every((below) => isExempt(below, leaf) || isWithinConstraints(below, authority)),
  );
  return isSound && areAuthorities && areNamesAllowed && (await isApprovedByEngine(path, nowMs));
}

/** Whether a certificate is an authority's, by its own word. */
export function isAuthority(
  { extensions }: Pick<CertificateContent, 'extensions'>,
  below: readonly CertificateContent[] = [],
): boolean {
  const constraints = extensions.get(EXTENSION.basicConstraints)?.parsedValue;
  if (!(constraints instanceof BasicConstraints) || !constraints.cA) return false;
  const { pathLenConstraint } = constraints;
  const lengthMax = pathLenConstraint === undefined ? Infinity : Number(pathLenConstraint.valueOf());
  const counted = below.filter((certificate) => !isSelfIssued(certificate)).length;
  return counted <= lengthMax && hasKeyUsage(extensions, KEY_CERT_SIGN);
}

/** Bits of a key's usage, as they lie in its first byte. Source: RFC 5280, section 4.2.1.3. */
const [DIGITAL_SIGNATURE, KEY_AGREEMENT, KEY_CERT_SIGN] = [0x80, 0x08, 0x04];

/** Purposes that let a certificate identify a client: its own, and every purpose. Source: RFC 5280, section 4.2.1.12. */
const CLIENT_PURPOSES: ReadonlySet<string> = new Set(['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']);

const READ: ReadonlySet<string> = new Set(Object.values(EXTENSION));

type Extensions = CertificateContent['extensions'];

/** An authority's certificate identifies no client, whatever else it says. */
function isClient(leaf: CertificateContent): boolean {
  const constraints = leaf.extensions.get(EXTENSION.basicConstraints)?.parsedValue;
  const isAuthoritys = constraints instanceof BasicConstraints && constraints.cA;
  return !isAuthoritys && hasKeyUsage(leaf.extensions, DIGITAL_SIGNATURE + KEY_AGREEMENT);
}

/** What holds for every certificate of a path; a trusted one is trusted whatever it is signed with. */
function isAcceptable({ x509, parsed, extensions }: CertificateContent, isTrusted: boolean): boolean {
  const isReadable = [...extensions].every(([id, { critical, parsedValue }]) =>
    READ.has(id) ? parsedValue !== undefined && !('parsingError' in parsedValue) : !critical,
  );
  const isSigned = isTrusted || isStrongSignature(parsed.signatureAlgorithm);
  return isReadable && isSigned && hasStrongKey(x509) && hasClientPurpose(extensions);
}

/** Purposes bind what is below them, as OpenSSL and browsers have it. */
function hasClientPurpose(extensions: Extensions): boolean {
  const extension = extensions.get(EXTENSION.extendedKeyUsage);
  if (extension === undefined) return true;
  const { parsedValue } = extension;
  return parsedValue instanceof ExtKeyUsage && parsedValue.keyPurposes.some((purpose) => CLIENT_PURPOSES.has(purpose));
}

/** Whether a key may be used in one of these ways; it may in all ways where nothing is said. */
function hasKeyUsage(extensions: Extensions, ways: number): boolean {
  const extension = extensions.get(EXTENSION.keyUsage);
  if (extension === undefined) return true;
  const bits: unknown = extension.parsedValue;
  return bits instanceof BitString && (Number(bits.valueBlock.valueHexView[0]) & ways) !== 0;
}

/** Name constraints are not for an authority's own new keys. */
function isExempt(certificate: CertificateContent, leaf: CertificateContent): boolean {
  return certificate !== leaf && isSelfIssued(certificate);
}

function isSelfIssued({ subject, issuer }: CertificateContent): boolean {
  return nameKey(subject) === nameKey(issuer);
}

async function isApprovedByEngine(path: readonly CertificateContent[], nowMs: number): Promise<boolean> {
  const certificates = path.map(({ parsed }) => parsed);
  const anchor = certificates.at(-1);
  if (anchor === undefined) return false;
  const engine = new CertificateChainValidationEngine({
    trustedCerts: [anchor],
    // The engine takes the last one for the client's.
    certs: certificates.slice(0, -1).toReversed(),
    checkDate: new Date(nowMs),
    findIssuer: (certificate) => {
      const next = certificates[certificates.indexOf(certificate) + 1];
      return Promise.resolve(next === undefined ? [] : [next]);
    },
  });
  const { result } = await engine.verify();
  return result;
}
