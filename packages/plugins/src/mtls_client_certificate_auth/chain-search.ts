import type { X509Certificate } from 'node:crypto';
import type { Certificate } from './certificate.ts';

/** Longest way from a client's certificate to a trusted one, both counted. */
export const PATH_LENGTH_MAX = 8;

/** Most ways that are tried for one client: cross-signed authorities give more than one. */
const PATHS_MAX = 8;

/** Most steps from a certificate to a possible issuer that are tried for one client. */
const STEPS_MAX = 64;

/** Trusted certificates by the key of their subject: there may be hundreds. */
export type AnchorIndex = ReadonlyMap<string, readonly Certificate[]>;

/** Puts trusted certificates in order for the search. */
export function indexAnchors(anchors: Iterable<Certificate>): AnchorIndex {
  return Map.groupBy(anchors, ({ subjectKey }) => subjectKey);
}

/**
 * Ways from a client's certificate to a trusted one, each from the client's to the trusted one, with good signatures all along.
 *
 * Anybody can present any certificates, also such as name each other in a circle. So names alone lead the search, its work is bounded, and
 * signatures are verified from the trusted end: with trusted keys, or keys that those have signed, and never with a stranger's.
 * @param presented what may lie between them, in any order
 */
export function* pathsToAnchors(
  leaf: Certificate,
  presented: readonly Certificate[],
  anchors: AnchorIndex,
): Generator<readonly Certificate[]> {
  const budget = { steps: STEPS_MAX, paths: PATHS_MAX };
  for (const path of namedPaths([leaf], presented, anchors, budget)) {
    if (hasGoodSignatures(path)) yield path;
    budget.paths -= 1;
    if (budget.paths === 0) return;
  }
}

/** Paths in which each certificate names the next one as its issuer, the shortest continuation of each first. */
function* namedPaths(
  path: readonly Certificate[],
  presented: readonly Certificate[],
  anchors: AnchorIndex,
  budget: { steps: number },
): Generator<readonly Certificate[]> {
  const last = path.at(-1);
  if (last === undefined || path.length >= PATH_LENGTH_MAX) return;
  const isIssuer = (candidate: Certificate): boolean => {
    if (candidate.subjectKey !== last.issuerKey || isIn(path, candidate)) return false;
    budget.steps -= 1;
    return budget.steps >= 0 && isNamedIssuer(last.x509, candidate.x509);
  };
  for (const anchor of anchors.get(last.issuerKey) ?? []) if (isIssuer(anchor)) yield [...path, anchor];
  for (const next of presented) {
    // A trusted one has been tried, and nothing above it matters.
    if (!isIn(anchors.get(next.subjectKey) ?? [], next) && isIssuer(next))
      yield* namedPaths([...path, next], presented, anchors, budget);
  }
}

function isNamedIssuer(child: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return child.checkIssued(issuer);
  } catch {
    return false;
  }
}

function hasGoodSignatures(path: readonly Certificate[]): boolean {
  try {
    for (let at = path.length - 2; at >= 0; at -= 1) {
      const [child, issuer] = [path[at], path[at + 1]];
      if (child === undefined || issuer === undefined || !child.x509.verify(issuer.x509.publicKey)) return false;
    }
    return true;
  } catch {
    // OpenSSL knows no such algorithm, or the key is none.
    return false;
  }
}

function isIn(list: readonly Certificate[], { fingerprint }: Certificate): boolean {
  return list.some((member) => member.fingerprint === fingerprint);
}
