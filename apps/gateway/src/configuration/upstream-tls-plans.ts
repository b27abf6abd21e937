import { hash } from 'node:crypto';
import type { CertificateSource } from '../certificates/certificate-index.ts';
import type { UpstreamTls } from '../transport/upstream-tls.ts';
import type { UpstreamProtocol } from '../transport/upstream-transport.ts';
import type { ConfigurationError } from './configuration-errors.ts';
import type { Placed } from './checked-changes.ts';
import type { ServiceRecord, UpstreamRecord } from './records.ts';

/** How a service meets its upstream in TLS. */
export interface TlsPlan {
  /** What of the records says so. Stays the same while only certificates change; empty where nothing is said. */
  readonly terms: string;
  /** `undefined` where the platform's authorities are enough and nothing is presented. */
  readonly tls: UpstreamTls | undefined;
  /** References to what is not there: then the service must not be called, since less would be checked or presented than was asked for. */
  readonly mistakes: readonly ConfigurationError[];
}

const encrypted: ReadonlySet<UpstreamProtocol> = new Set<UpstreamProtocol>(['https', 'grpcs', 'tls']);
const nothingSaid: TlsPlan = { terms: '', tls: undefined, mistakes: [] };

/** Plans the TLS of services. What says the same is the same object, while one of these lives. */
export class UpstreamTlsPlans {
  readonly #certificates: CertificateSource;
  readonly #made = new Map<string, UpstreamTls>();

  constructor(certificates: CertificateSource) {
    this.#certificates = certificates;
  }

  /**
   * The TLS of one service: what it presents is its own certificate, else its upstream's.
   * @param upstream `undefined` for a service with an address of its own
   */
  planOf(
    { value: service, pointer }: Placed<ServiceRecord>,
    protocol: UpstreamProtocol,
    upstream: Placed<UpstreamRecord> | undefined,
  ): TlsPlan {
    if (!encrypted.has(protocol)) return nothingSaid;
    const { tls_verify: verify, tls_verify_depth: depth, ca_certificate_ids: authorityIds } = service;
    const own = service.client_certificate_id ?? undefined;
    const certificateId = own ?? upstream?.value.client_certificate_id ?? undefined;
    if (verify && (depth ?? undefined) === undefined && authorityIds.length === 0 && certificateId === undefined) {
      return nothingSaid;
    }
    const terms = JSON.stringify([verify, depth ?? null, authorityIds, certificateId ?? null]);
    const mistakes: ConfigurationError[] = [];
    const authorities = authorityIds.flatMap((id, index) => {
      const authority = this.#certificates.authorityOf(id);
      const message = 'names no CA certificate that can be read; the service is not called';
      if (authority === undefined) mistakes.push({ pointer: `${pointer}/ca_certificate_ids/${index}`, message });
      return authority?.cert ?? [];
    });
    const certificate = certificateId === undefined ? undefined : this.#certificates.certificateOf(certificateId);
    if (certificateId !== undefined && certificate === undefined) {
      const message = 'names no certificate that can be presented; the service is not called';
      const place = own === undefined ? (upstream?.pointer ?? pointer) : pointer;
      mistakes.push({ pointer: `${place}/client_certificate_id`, message });
    }
    if (mistakes.length > 0) return { terms, tls: undefined, mistakes };
    const content = {
      verify,
      ...(typeof depth === 'number' && { verifyDepth: depth }),
      ...(authorities.length > 0 && { authorities }),
      ...(certificate && { clientCertificate: { certificate: certificate.cert, key: certificate.key } }),
    };
    return { terms, tls: this.#shared(content), mistakes };
  }

  #shared(content: Omit<UpstreamTls, 'id'>): UpstreamTls {
    const id = hash('sha256', JSON.stringify(content), 'base64url');
    const known = this.#made.get(id);
    if (known !== undefined) return known;
    const tls = { id, ...content };
    this.#made.set(id, tls);
    return tls;
  }
}
