import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CertificateContent } from './certificate-content.ts';
import { readCertificate, type Certificate } from './certificate.ts';
import { indexAnchors, pathsToAnchors, type AnchorIndex } from './chain-search.ts';
import type { Config } from './config.ts';
import type { PresentedCertificate } from './presented-certificate.ts';
import type { Distrust } from './refusal-reasons.ts';
import { readAuthorities } from './trusted-authorities.ts';

/** Most intermediate authorities that are remembered from chains that were trusted. */
const INTERMEDIATES_MAX = 64;

/** A certificate that is trusted until a time. */
export interface TrustedCertificate {
  readonly content: CertificateContent;
  /** When the first certificate that it relies on runs out, in milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/** A certificate for which something speaks; whether it really is to be trusted is the costly part. */
export interface Candidate {
  /** Names the certificate and everything that speaks for it. What else came along makes no other key. */
  readonly key: string;
  /** About a millisecond per certificate, more with policies. Says why the certificate is not trusted. */
  judge(nowMs: number): Promise<TrustedCertificate | Distrust>;
}

/** What certificates are trusted with: authorities, fingerprints, or a trusted proxy's word. */
export class CertificateTrust {
  readonly #anchors: AnchorIndex;
  readonly #pins: ReadonlySet<string>;
  readonly #takesWord: boolean;
  /**
   * TLS brings intermediate certificates in the first handshake only, not where a session is resumed. Those that have been part of a
   * trusted chain are candidates for later ones; each chain is judged anew.
   */
  readonly #intermediates = new LRUCache<string, Certificate>({ max: INTERMEDIATES_MAX });

  constructor({ trusted_ca_pems: pems = [], trusted_fingerprints: pins = [] }: Config) {
    // The config's check has refused texts that cannot be read.
    const { authorities: anchors } = readAuthorities(pems);
    this.#anchors = indexAnchors(anchors);
    this.#pins = new Set(pins.map((pin) => pin.replaceAll(':', '').toLowerCase()));
    // The config's check sees to it that a proxy's word is required then.
    this.#takesWord = anchors.length === 0 && pins.length === 0;
  }

  /**
   * The quick part: reads what was presented and looks whether anything speaks for it. Whoever has no certificate of a trusted
   * authority gets no further, and is told apart here.
   */
  consider(presented: PresentedCertificate, nowMs: number): Candidate | Distrust {
    const [leaf, ...issuers] = (presented.read() ?? []).map(readCertificate);
    if (leaf === undefined) return 'malformed_certificate';
    if (!isCurrent(leaf, nowMs)) return nowMs < leaf.notBeforeMs ? 'not_yet_valid' : 'expired';
    if (this.#takesWord || this.#pins.has(leaf.fingerprint)) {
      return { key: keyOf([[leaf]]), judge: () => judgePinned(leaf) };
    }
    const between = new Map<string, Certificate>(this.#intermediates.entries());
    for (const issuer of issuers) if (issuer !== undefined) between.set(issuer.fingerprint, issuer);
    const paths = [...pathsToAnchors(leaf, [...between.values()], this.#anchors)];
    return paths.length === 0 ? 'unknown_authority' : { key: keyOf(paths), judge: (atMs) => this.#judge(paths, atMs) };
  }

  async #judge(paths: readonly Path[], nowMs: number): Promise<TrustedCertificate | Distrust> {
    const { judgePath } = await import('./path-judge.ts');
    let distrust: Distrust | undefined;
    for (const path of paths) {
      const areCurrent = path.every((certificate) => isCurrent(certificate, nowMs));
      // oxlint-disable-next-line eslint/no-await-in-loop -- the next path counts only when this one does not
      const content = areCurrent ? await judgePath(path, nowMs) : 'chain_expired';
      if (typeof content === 'string') {
        distrust ??= content;
        continue;
      }
      for (const authority of path.slice(1, -1)) this.#intermediates.set(authority.fingerprint, authority);
      return trusted(content, path);
    }
    return distrust ?? 'unknown_authority';
  }
}

type Path = readonly Certificate[];

async function judgePinned(leaf: Certificate): Promise<TrustedCertificate | Distrust> {
  const { contentOf } = await import('./path-judge.ts');
  const content = contentOf(leaf);
  return content === undefined ? 'malformed_certificate' : trusted(content, [leaf]);
}

function keyOf(paths: readonly Path[]): string {
  const named = paths.map((path) => path.map(({ fingerprint }) => fingerprint).join(' '));
  return hash('sha256', named.join('\n'), 'base64');
}

function trusted(content: CertificateContent, path: readonly Certificate[]): TrustedCertificate {
  return { content, expiresAtMs: Math.min(...path.map(({ notAfterMs }) => notAfterMs)) };
}

/** Both ends of the time belong to it. Source: RFC 5280, section 4.1.2.5. */
function isCurrent({ notBeforeMs, notAfterMs }: Certificate, nowMs: number): boolean {
  return notBeforeMs <= nowMs && nowMs <= notAfterMs;
}
