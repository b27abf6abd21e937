import type { Clock, HeaderEdit } from '@portcullis/plugin-runtime';
import { LRUCache } from 'lru-cache';
import { compileUpstreamHeaders } from '../shared/claims/upstream-headers.ts';
import { claimsOf } from './certificate-claims.ts';
import { CertificateTrust, type Candidate, type TrustedCertificate } from './certificate-trust.ts';
import { clientNamesOf, compileConstraints, type ClientNames } from './client-identity.ts';
import type { Config } from './config.ts';
import { certificateFields, type PresentedCertificate } from './presented-certificate.ts';
import type { Distrust, Mismatch } from './refusal-reasons.ts';
import { Turns } from './turns.ts';

/** Most verdicts that are kept; some kilobytes each. */
const VERDICTS_MAX = 1000;

/** How long a verdict is kept at most: for one that lets in, and for one that does not. */
const TRUSTED_KEPT_MS = 300_000;
const REFUSED_KEPT_MS = 10_000;

/**
 * Requests that wait for a verdict. Below the default of `max_concurrency` (32), at which the runtime would refuse all requests of the
 * instance, also those whose verdict is known.
 */
export const WAITING_MAX = 24;

/** A client whose certificate is good. */
export interface AcceptedClient {
  readonly names: ClientNames;
  readonly headers: readonly HeaderEdit[];
}

/** What is to become of a client, or why it is refused. `busy`: too many wait to be judged. */
export type Verdict = AcceptedClient | Distrust | Mismatch | 'busy';

/** Judges clients by what they presented, and remembers. */
export class ClientVerdicts {
  readonly #clock: Clock;
  readonly #trust: CertificateTrust;
  readonly #mismatchOf: ReturnType<typeof compileConstraints>;
  readonly #editsFor: (content: TrustedCertificate['content'], isForwarded: boolean) => readonly HeaderEdit[];
  readonly #known = new LRUCache<string, { readonly verdict: Verdict; readonly expiresAtMs: number }>({
    max: VERDICTS_MAX,
  });
  /** What was presented, and the key of its verdict: what else a client sends along, in whatever order, is no reason to judge anew. */
  readonly #keys = new LRUCache<string, string>({ max: VERDICTS_MAX });
  readonly #judging = new Map<string, Promise<Verdict>>();
  readonly #turns = new Turns();
  #waiting = 0;

  constructor(config: Config, clock: Clock) {
    this.#clock = clock;
    this.#trust = new CertificateTrust(config);
    this.#mismatchOf = compileConstraints(config);
    this.#editsFor = compileEdits(config);
  }

  /** A promise only for certificates that a trusted authority has signed and that were not seen lately. */
  verdictOn(presented: PresentedCertificate): Verdict | Promise<Verdict> {
    const nowMs = this.#clock.nowMs();
    const seen = this.#keys.get(presented.key);
    const remembered = seen === undefined ? undefined : this.#find(seen, nowMs);
    if (remembered !== undefined) return remembered;
    const candidate = this.#trust.consider(presented, nowMs);
    // Not remembered: anybody can present any number of certificates.
    if (typeof candidate === 'string') return candidate;
    const key = `${presented.isForwarded} ${candidate.key}`;
    this.#keys.set(presented.key, key);
    const found = this.#find(key, nowMs);
    if (found !== undefined) return found;
    if (this.#waiting >= WAITING_MAX) return 'busy';
    return this.#wait(this.#judge(key, candidate, presented.isForwarded));
  }

  /** A verdict, or the promise of one that is under way. */
  #find(key: string, nowMs: number): Verdict | Promise<Verdict> | undefined {
    const known = this.#known.get(key);
    if (known !== undefined && nowMs < known.expiresAtMs) return known.verdict;
    const judging = this.#judging.get(key);
    return judging && this.#wait(judging);
  }

  #wait(verdict: Promise<Verdict>): Promise<Verdict> | Verdict {
    if (this.#waiting >= WAITING_MAX) return 'busy';
    this.#waiting += 1;
    return verdict.finally(() => (this.#waiting -= 1));
  }

  #judge(key: string, candidate: Candidate, isForwarded: boolean): Promise<Verdict> {
    const verdict = this.#turns.take(async () => {
      try {
        return this.#remember(key, isForwarded, await candidate.judge(this.#clock.nowMs()));
      } finally {
        this.#judging.delete(key);
      }
    });
    this.#judging.set(key, verdict);
    return verdict;
  }

  #remember(key: string, isForwarded: boolean, found: TrustedCertificate | Distrust): Verdict {
    const verdict = this.#verdictFor(found, isForwarded);
    const keptMs = typeof verdict === 'string' ? REFUSED_KEPT_MS : TRUSTED_KEPT_MS;
    const goodUntilMs = typeof found === 'string' ? Infinity : found.expiresAtMs;
    const expiresAtMs = Math.min(this.#clock.nowMs() + keptMs, goodUntilMs);
    this.#known.set(key, { verdict, expiresAtMs });
    return verdict;
  }

  #verdictFor(found: TrustedCertificate | Distrust, isForwarded: boolean): Verdict {
    if (typeof found === 'string') return found;
    const mismatch = this.#mismatchOf(found.content);
    if (mismatch !== undefined) return mismatch;
    return { names: clientNamesOf(found.content), headers: this.#editsFor(found.content, isForwarded) };
  }
}

/** What anybody but a trusted peer says of certificates never goes on; what that says does, unless it is to be hidden. */
function compileEdits(
  config: Config,
): (content: TrustedCertificate['content'], isForwarded: boolean) => readonly HeaderEdit[] {
  const { certificate, chain, verified } = certificateFields(config);
  const spoken = [certificate, verified, ...(chain === undefined ? [] : [chain])];
  const stripped = compileUpstreamHeaders(config.upstream_headers, spoken);
  const kept = config.hide_certificate_header ? stripped : compileUpstreamHeaders(config.upstream_headers);
  return (content, isForwarded) => (isForwarded ? kept : stripped).editsFor(claimsOf(content));
}
