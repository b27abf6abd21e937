import type { X509Certificate } from 'node:crypto';
import type { Certificate } from './certificate.ts';

/** Longest way from a client's certificate to a trusted one, both counted. */
export const PATH_LENGTH_MAX = 8;

/** Most ways that are tried for one client: cross-signed authorities give more than one. */
const PATHS_MAX = 8;

/** Most pairs of certificates whose names are compared for one client. */
const COMPARISONS_MAX = 2048;

/**
 * Ways from a client's certificate to a trusted one, each from the client's to the trusted one, with good signatures all along.
 *
 * Anybody can present any certificates, also such as name each other in a circle. So names alone lead the search, its work is bounded, and
 * signatures are verified from the trusted end: with trusted keys, or keys that those have signed, and never with a stranger's.
 * @param presented what may lie between them, in any order
 * @param anchors trusted ones
 */
export function* pathsToAnchors(
  leaf: Certificate,
  presented: readonly Certificate[],
  anchors: readonly Certificate[],
): Generator<readonly Certificate[]> {
  const budget = { comparisons: COMPARISONS_MAX, paths: PATHS_MAX };
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
  anchors: readonly Certificate[],
  budget: { comparisons: number },
): Generator<readonly Certificate[]> {
  const last = path.at(-1);
  if (last === undefined || path.length >= PATH_LENGTH_MAX) return;
  const isIssuer = (candidate: Certificate): boolean => {
    budget.comparisons -= 1;
    return budget.comparisons >= 0 && !isIn(path, candidate) && isNamedIssuer(last.x509, candidate.x509);
  };
  for (const anchor of anchors) if (isIssuer(anchor)) yield [...path, anchor];
  for (const next of presented) {
    // A trusted one has been tried, and nothing above it matters.
    if (isIssuer(next) && !isIn(anchors, next)) yield* namedPaths([...path, next], presented, anchors, budget);
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
