import { LRUCache } from 'lru-cache';
import { readCertificate, readContent, type Certificate, type CertificateContent } from './certificate.ts';
import { keepsChainRules } from './chain-rules.ts';
import { indexAnchors, pathsToAnchors, type AnchorIndex } from './chain-search.ts';
import type { Config } from './config.ts';
import type { PresentedCertificate } from './presented-certificate.ts';
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
  /** About a millisecond per certificate, more with policies. `undefined`: not trusted. */
  judge(nowMs: number): Promise<TrustedCertificate | undefined>;
}

/** What certificates are trusted with: authorities, fingerprints, or a trusted proxy's word. */
export class CertificateTrust {
  readonly #anchors: ReadonlyMap<string, CertificateContent>;
  readonly #anchorIndex: AnchorIndex;
  readonly #pins: ReadonlySet<string>;
  readonly #takesWord: boolean;
  /**
   * TLS brings intermediate certificates in the first handshake only, not where a session is resumed. Those that have been part of a
   * trusted chain are candidates for later ones; each chain is judged anew.
   */
  readonly #intermediates = new LRUCache<string, Certificate>({ max: INTERMEDIATES_MAX });

  constructor({ trusted_ca_pems: pems = [], trusted_fingerprints: pins = [] }: Config) {
    // The config's check has refused texts that cannot be read.
    const anchors = pems
      .map(readAuthorities)
      .filter((read) => typeof read !== 'string')
      .flat();
    this.#anchors = new Map(anchors.map((anchor) => [anchor.fingerprint, anchor]));
    this.#anchorIndex = indexAnchors(anchors);
    this.#pins = new Set(pins.map((pin) => pin.replaceAll(':', '').toLowerCase()));
    // The config's check sees to it that a proxy's word is required then.
    this.#takesWord = anchors.length === 0 && pins.length === 0;
  }

  /**
   * The quick part: reads what was presented and looks whether anything speaks for it. Whoever has no certificate of a trusted
   * authority gets no further. `undefined`: not trusted.
   */
  consider(presented: PresentedCertificate, nowMs: number): Candidate | undefined {
    const [leaf, ...issuers] = (presented.read() ?? []).map(readCertificate);
    if (leaf === undefined || !isCurrent(leaf, nowMs)) return undefined;
    if (this.#takesWord || this.#pins.has(leaf.fingerprint)) {
      return { judge: () => Promise.resolve(trusted(readContent(leaf), [leaf])) };
    }
    const between = new Map<string, Certificate>(this.#intermediates.entries());
    for (const issuer of issuers) if (issuer !== undefined) between.set(issuer.fingerprint, issuer);
    const paths = pathsToAnchors(leaf, [...between.values()], this.#anchorIndex);
    const first = paths.next();
    if (first.done === true) return undefined;
    return { judge: (atMs) => this.#judge([first.value], paths, atMs) };
  }

  async #judge(
    first: Iterable<readonly Certificate[]>,
    others: Iterable<readonly Certificate[]>,
    nowMs: number,
  ): Promise<TrustedCertificate | undefined> {
    for (const paths of [first, others]) {
      for (const path of paths) {
        // oxlint-disable-next-line eslint/no-await-in-loop -- the next path counts only when this one does not
        const found = await this.#judgePath(path, nowMs);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  async #judgePath(path: readonly Certificate[], nowMs: number): Promise<TrustedCertificate | undefined> {
    if (!path.every((certificate) => isCurrent(certificate, nowMs))) return undefined;
    const contents: CertificateContent[] = [];
    for (const certificate of path) {
      const content = this.#anchors.get(certificate.fingerprint) ?? readContent(certificate);
      if (content === undefined) return undefined;
      contents.push(content);
    }
    if (!(await keepsChainRules(contents, nowMs))) return undefined;
    for (const authority of path.slice(1, -1)) this.#intermediates.set(authority.fingerprint, authority);
    return trusted(contents[0], path);
  }
}

function trusted(
  content: CertificateContent | undefined,
  path: readonly Certificate[],
): TrustedCertificate | undefined {
  return content && { content, expiresAtMs: Math.min(...path.map(({ notAfterMs }) => notAfterMs)) };
}

/** Both ends of the time belong to it. Source: RFC 5280, section 4.1.2.5. */
function isCurrent({ notBeforeMs, notAfterMs }: Certificate, nowMs: number): boolean {
  return notBeforeMs <= nowMs && nowMs <= notAfterMs;
}
