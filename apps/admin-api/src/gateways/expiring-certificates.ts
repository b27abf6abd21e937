import type { Executor } from '../database/database.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import type { GatewayPlace } from './gateway-counts.ts';

/** Certificates that are read, the oldest records first. */
const readMax = 2_000;
/** Certificates that are named. */
export const namedCertificatesMax = 10;
/** A certificate is expiring this many days before it has expired. */
export const expiringDays = 30;
const dayMs = 86_400_000;

/** A certificate that has expired or is about to. */
export interface ExpiringCertificate {
  readonly id: string;
  readonly name: string | null;
  readonly not_after: string;
  readonly expires_in_days: number;
}

/** Certificates of a gateway that need to be replaced. */
export interface CertificateHealth {
  readonly expired: number;
  readonly expiring: number;
  /** Whether there are more certificates than were read. */
  readonly cut: boolean;
  /** Those that expire first. */
  readonly items: readonly ExpiringCertificate[];
}

/** Looks through a gateway's certificates, page by page. */
export async function certificateHealth(
  store: Pick<ResourceStore, 'scan'>,
  executor: Executor,
  { tenantId, gatewayId }: GatewayPlace,
  nowMs: number,
): Promise<CertificateHealth> {
  const due: ExpiringCertificate[] = [];
  let read = 0;
  for await (const page of store.scan(executor, tenantId, 'certificates', gatewayId)) {
    for (const { id, name, body } of page) {
      const notAfter = String(body['not_after']);
      const days = Math.floor((Date.parse(notAfter) - nowMs) / dayMs);
      if (days < expiringDays) due.push({ id, name, not_after: notAfter, expires_in_days: days });
    }
    read += page.length;
    if (read >= readMax) break;
  }
  const expired = due.filter((one) => Date.parse(one.not_after) <= nowMs).length;
  const first = due.toSorted((left, right) => Date.parse(left.not_after) - Date.parse(right.not_after));
  return {
    expired,
    expiring: due.length - expired,
    cut: read >= readMax,
    items: first.slice(0, namedCertificatesMax),
  };
}
