import { BitString } from 'asn1js';
import { BasicConstraints, CertificateChainValidationEngine, ExtKeyUsage } from 'pkijs';
import type { CertificateContent } from './certificate-content.ts';
import { nameKey } from './distinguished-name.ts';
import { EXTENSION } from './extension-ids.ts';
import { hasStrongKey } from './key-strength.ts';
import { isWithinConstraints } from './name-constraints.ts';
import type { BrokenRule } from './refusal-reasons.ts';
import { isStrongSignature } from './signature-strength.ts';

/**
 * Looks whether a path with good signatures lets the client in, apart from dates. Our own rules come first: the library's engine looks at
 * neither the length that authorities allow, nor purposes, nor strengths, nor a trusted authority's own name constraints. The engine
 * then judges what is left, policies above all. It gets the one path and never searches itself: a circle would keep it busy for ever.
 * @param path from the client's certificate to the trusted one
 * @returns a rule that is broken; `undefined` when all are kept
 */
export async function brokenChainRule(
  path: readonly CertificateContent[],
  nowMs: number,
): Promise<BrokenRule | undefined> {
  const [leaf, ...authorities] = path;
  if (leaf === undefined || authorities.length === 0) return 'chain_no_authority';
  const broken =
    brokenByClient(leaf) ??
    firstOf(path, (certificate, at) => brokenByAny(certificate, at === path.length - 1)) ??
    firstOf(authorities, (authority, at) => brokenByAuthority(authority, path.slice(1, at + 1)));
  if (broken !== undefined) return broken;
  const areNamesAllowed = authorities.every((authority, at) =>
    path.slice(0, at + 1).every((below) => isExempt(below, leaf) || isWithinConstraints(below, authority)),
  );
  if (!areNamesAllowed) return 'chain_name_constraints';
  return (await isApprovedByEngine(path, nowMs)) ? undefined : 'chain_policy';
}

/**
 * Looks whether a certificate is an authority's, by its own word.
 * @returns what it lacks; `undefined` for an authority's
 */
export function brokenByAuthority(
  { extensions }: Pick<CertificateContent, 'extensions'>,
  below: readonly CertificateContent[] = [],
): BrokenRule | undefined {
  const constraints = extensions.get(EXTENSION.basicConstraints)?.parsedValue;
  if (!(constraints instanceof BasicConstraints) || !constraints.cA) return 'chain_no_authority';
  const { pathLenConstraint } = constraints;
  const lengthMax = pathLenConstraint === undefined ? Infinity : Number(pathLenConstraint.valueOf());
  const counted = below.filter((certificate) => !isSelfIssued(certificate)).length;
  if (counted > lengthMax) return 'chain_path_length';
  return hasKeyUsage(extensions, KEY_CERT_SIGN) ? undefined : 'chain_key_usage';
}

/** Bits of a key's usage, as they lie in its first byte. Source: RFC 5280, section 4.2.1.3. */
const [DIGITAL_SIGNATURE, KEY_AGREEMENT, KEY_CERT_SIGN] = [0x80, 0x08, 0x04];

/** Purposes that let a certificate identify a client: its own, and every purpose. Source: RFC 5280, section 4.2.1.12. */
const CLIENT_PURPOSES: ReadonlySet<string> = new Set(['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']);

const READ: ReadonlySet<string> = new Set(Object.values(EXTENSION));

type Extensions = CertificateContent['extensions'];

/** An authority's certificate identifies no client, whatever else it says. */
function brokenByClient(leaf: CertificateContent): BrokenRule | undefined {
  const constraints = leaf.extensions.get(EXTENSION.basicConstraints)?.parsedValue;
  if (constraints instanceof BasicConstraints && constraints.cA) return 'client_is_authority';
  return hasKeyUsage(leaf.extensions, DIGITAL_SIGNATURE + KEY_AGREEMENT) ? undefined : 'client_key_usage';
}

/** What holds for every certificate of a path; a trusted one is trusted whatever it is signed with. */
function brokenByAny({ x509, parsed, extensions }: CertificateContent, isTrusted: boolean): BrokenRule | undefined {
  const isReadable = [...extensions].every(([id, { critical, parsedValue }]) =>
    READ.has(id) ? parsedValue !== undefined && !('parsingError' in parsedValue) : !critical,
  );
  if (!isReadable) return 'chain_extension';
  if (!isTrusted && !isStrongSignature(parsed.signatureAlgorithm)) return 'weak_signature';
  if (!hasStrongKey(x509)) return 'weak_key';
  return hasClientPurpose(extensions) ? undefined : 'chain_purpose';
}

/** What is first found about a certificate of a list. */
function firstOf(
  certificates: readonly CertificateContent[],
  find: (certificate: CertificateContent, at: number) => BrokenRule | undefined,
): BrokenRule | undefined {
  for (const [at, certificate] of certificates.entries()) {
    const found = find(certificate, at);
    if (found !== undefined) return found;
  }
  return undefined;
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
