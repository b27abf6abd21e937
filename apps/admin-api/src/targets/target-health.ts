import type { TargetHealthState } from '@portcullis/resources';
import { toTimestamp } from '../resources/record-view.ts';
import { worstFirst } from './health-order.ts';
import type { ReportedAddress, TargetReport } from './target-reports.ts';

/** What one data plane says of one address of a target. */
export interface NodeHealth {
  readonly data_plane_id: string;
  readonly data_plane_name: string;
  readonly address: string;
  readonly health: TargetHealthState;
  /** Since when, by the data plane's clock. */
  readonly since: string;
  /** Why it is not well, as far as the data plane says. */
  readonly reason?: string;
}

/** The health of a target as its record shows it. */
export interface TargetHealth {
  /** The worst that a data plane says; `null` when none says anything. */
  readonly health: TargetHealthState | null;
  /** The worst first. */
  readonly data_plane_health: readonly NodeHealth[];
}

/** Addresses and data planes that a record shows; the worst are among them. */
export const shownNodeHealthMax = 200;

/** What data planes say of targets, by target. Targets that no data plane names have no entry. */
export function healthByTarget(reports: readonly TargetReport[]): ReadonlyMap<string, TargetHealth> {
  const byTarget = new Map<string, TargetReport[]>();
  for (const report of reports) {
    const list = byTarget.get(report.targetId);
    if (list === undefined) byTarget.set(report.targetId, [report]);
    else list.push(report);
  }
  return new Map(Array.from(byTarget, ([targetId, list]) => [targetId, healthOf(list)]));
}

/** Of a target that no data plane says anything of. */
export const unknownHealth: TargetHealth = { health: null, data_plane_health: [] };

/** The worst that a data plane says: what one of them cannot reach is worth a look, whatever the others say. */
function healthOf(reports: readonly TargetReport[]): TargetHealth {
  const shown = reports.flatMap((report) => report.addresses.map((address) => shownOf(report, address)));
  return {
    health: worstFirst(reports)[0]?.health ?? null,
    data_plane_health: worstFirst(shown).slice(0, shownNodeHealthMax),
  };
}

function shownOf({ dataPlaneId, dataPlaneName }: TargetReport, address: ReportedAddress): NodeHealth {
  return {
    data_plane_id: dataPlaneId,
    data_plane_name: dataPlaneName,
    address: address.address,
    health: address.health,
    since: toTimestamp(address.since_ms),
    ...(address.reason !== undefined && { reason: address.reason }),
  };
}
