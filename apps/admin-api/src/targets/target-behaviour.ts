import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { targetAddressBehaviour } from './target-address.ts';
import { healthByTarget, unknownHealth, type TargetHealth } from './target-health.ts';
import { readTargetReports } from './target-reports.ts';

/** Targets show what data planes say of them, beside what {@link targetAddressBehaviour} does. */
export function createTargetBehaviour(nowMs: () => number): FamilyBehaviour {
  return {
    ...targetAddressBehaviour,
    async liveFields(executor, tenantId, records) {
      const idsByGateway = new Map<string, string[]>();
      for (const { id, gatewayId } of records) {
        if (gatewayId === null) continue;
        const ids = idsByGateway.get(gatewayId);
        if (ids === undefined) idsByGateway.set(gatewayId, [id]);
        else ids.push(id);
      }
      const known = new Map<string, TargetHealth>();
      for (const [gatewayId, targetIds] of idsByGateway) {
        const reports = await readTargetReports(executor, { tenantId, gatewayId, targetIds }, nowMs());
        for (const [id, health] of healthByTarget(reports)) known.set(id, health);
      }
      return new Map(records.map(({ id }) => [id, { ...(known.get(id) ?? unknownHealth) }]));
    },
  };
}
