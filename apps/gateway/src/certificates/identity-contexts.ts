import { constants } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { IdentityPlan } from './identity-plan.ts';
import type { ServerIdentity } from './server-identities.ts';

/** Contexts that are kept ready; each takes some 10 KiB and 0.4 ms to make. */
export const identityContextsMax = 2048;

/**
 * Suites of TLS 1.2: those with forward secrecy and authenticated encryption, which are also all that HTTP/2 allows. Those of TLS 1.3
 * have both. Source: RFC 9325, 4.2; RFC 9113, 9.2.2.
 */
const suites = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** Characters of a session's context, OpenSSL's bound. */
const sessionContextLengthMax = 32;

/** Told of a certificate that OpenSSL does not take, for instance because its key is too short. */
export type OnUnusable = (certificateId: string, code: string) => void;

/**
 * Contexts of TLS, made when they are first asked for and kept while they are among the last that were: 10,000 certificates of which
 * a few hundred are in use cost what those cost. A context that was dropped is made anew; only sessions of before are not resumed.
 */
export class IdentityContexts {
  readonly #max: number;
  readonly #onUnusable: OnUnusable;
  /** By ID of the plan, the one asked for last at the end. `undefined` for one that cannot be made. */
  readonly #kept = new Map<string, ServerIdentity | undefined>();

  constructor(onUnusable: OnUnusable, max = identityContextsMax) {
    this.#onUnusable = onUnusable;
    this.#max = max;
  }

  /** How many are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /** @returns `undefined` where OpenSSL takes the certificate for nothing */
  get(plan: IdentityPlan): ServerIdentity | undefined {
    const kept = this.#kept.get(plan.id);
    if (kept === undefined && this.#kept.has(plan.id)) return undefined;
    const identity = kept ?? this.#make(plan);
    this.#kept.delete(plan.id);
    this.#kept.set(plan.id, identity);
    if (this.#kept.size > this.#max) this.#dropOldest();
    return identity;
  }

  #dropOldest(): void {
    for (const id of this.#kept.keys()) {
      this.#kept.delete(id);
      return;
    }
  }

  #make({ id, certificate, clientCertificateMode, asks, authorities }: IdentityPlan): ServerIdentity | undefined {
    const { cert, key, cert_alt: certAlt, key_alt: keyAlt } = certificate;
    const hasAlternative = typeof certAlt === 'string' && typeof keyAlt === 'string';
    try {
      const secureContext = createSecureContext({
        cert: hasAlternative ? [cert, certAlt] : cert,
        key: hasAlternative ? [key, keyAlt] : key,
        // An empty list is nobody. Without one, the platform's authorities would vouch for clients.
        ca: [...authorities],
        // An authority that the operator names is trusted, also where another one issued it.
        allowPartialTrustChain: true,
        minVersion: 'TLSv1.2',
        ciphers: suites,
        // A resumed session brings no issuers, and nobody looks again whether its certificate is still good.
        ...(clientCertificateMode !== 'none' && { secureOptions: constants.SSL_OP_NO_TICKET }),
        // Sessions of a name are no sessions of another: what was asked of the client there may be less.
        sessionIdContext: id.slice(0, sessionContextLengthMax),
      });
      return { secureContext, clientCertificateMode, asks };
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      this.#onUnusable(certificate.id, code);
      return undefined;
    }
  }
}
