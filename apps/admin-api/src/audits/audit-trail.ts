import { uuidv7 } from 'uuidv7';
import type { Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import type { HousekeepingTask } from '../housekeeping.ts';
import type { Log } from '../logging.ts';
import type { AuditPort } from './audit-port.ts';
import { readBacklog } from './chain/chain-backlog.ts';
import { createChainMetrics } from './chain/chain-metrics.ts';
import { chainedDatabase } from './chain/chained-database.ts';
import { createSequencer } from './chain/sequencer.ts';
import type { AuditDrain } from './operations/chain-port.ts';
import { createAuditLog } from './records/audit-log.ts';
import { createRefusedActs, type RefusedActs } from './records/refused-acts.ts';

/** How often records are looked for that wait although nobody waits for them: those of a process that died, or of an older release. */
const lookEveryMs = 1_000;

/** What the audit trail is made of. */
export interface AuditTrailParts {
  readonly database: Database;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** A clock that never goes back, in milliseconds. */
  readonly monotonicMs: () => number;
  readonly registry: Registry;
}

/** The audit log at work: who writes it, who chains it, and the database whose writes wait for that. */
export interface AuditTrail {
  readonly audit: AuditPort;
  readonly refusals: RefusedActs;
  readonly chain: AuditDrain;
  /** See `chainedDatabase`. */
  readonly database: Database;
  readonly tasks: readonly HousekeepingTask[];
}

/** Puts it together. */
export function createAuditTrail(parts: AuditTrailParts): AuditTrail {
  const { log, nowMs, monotonicMs } = parts;
  const audit = createAuditLog({ ids: uuidv7, clock: { nowMs } });
  const metrics = createChainMetrics(parts.registry, nowMs);
  const sequencer = createSequencer({
    database: parts.database,
    log,
    monotonicMs,
    onBatch: (count) => metrics.chained(count),
    onFailure: () => metrics.failed(),
    onLate: () => metrics.late(),
  });
  const database = chainedDatabase(parts.database, (transaction) => audit.wroteIn(transaction), sequencer);
  const refusals = createRefusedActs({ database, audit, log, monotonicMs });
  const look = async (): Promise<number> => {
    const found = await readBacklog(parts.database.read);
    metrics.backlog(found);
    return found.count;
  };
  const chain = async (): Promise<void> => {
    if ((await look()) === 0) return;
    await sequencer.chainAll();
    await look();
  };
  return {
    audit,
    refusals,
    chain: sequencer,
    database,
    tasks: [
      // Before the chain, which then takes them along.
      { name: 'refused_acts', everyMs: lookEveryMs, run: () => refusals.flush(), atStop: true },
      { name: 'audit_chain', everyMs: lookEveryMs, run: chain, atStop: true },
      // A task of its own: while the chain is stuck, the one above waits for it.
      { name: 'audit_backlog', everyMs: lookEveryMs, run: look },
    ],
  };
}
