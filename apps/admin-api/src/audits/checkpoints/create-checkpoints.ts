import { type NoteSigner, parseVerifierKey } from '@portcullis/audit-chain';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { HousekeepingTask } from '../../housekeeping.ts';
import type { Log } from '../../logging.ts';
import { globalChain } from '../operations/chain-port.ts';
import { type AnchoredHead, anchoredHeads } from './anchors/adapters/anchored-checkpoints.ts';
import { type Anchors, createAnchors } from './anchors/create-anchors.ts';
import type { AnchorSettings } from './anchor-setting.ts';
import { auditKeysOf, auditSigner, type AuditSignerParts } from './audit-signer.ts';
import { type Checkpointer, checkpointCheckEveryMs, createCheckpointer, InconsistentLogError } from './checkpointer.ts';

/** What checkpoints are made with. */
export interface CheckpointParts extends AuditSignerParts {
  readonly log: Log;
  readonly monotonicMs: () => number;
  readonly settings: AnchorSettings;
  readonly registry: Registry;
}

/** Checkpoints at work. */
export interface AuditCheckpoints {
  readonly checkpointer: Checkpointer;
  readonly signer: NoteSigner;
  readonly tasks: readonly HousekeepingTask[];
  /** `X-Audit-Checkpoint` for answers to writes: size and root (hex) of the last one over all tenants; nothing when it is off. */
  headers(): Readonly<Record<string, string>>;
}

/**
 * Finds the key, reads what was anchored and checks that the log still continues it. A log that does not is an alarm and is
 * not signed; the service goes on without checkpoints.
 */
export async function createCheckpoints(parts: CheckpointParts): Promise<AuditCheckpoints> {
  const { database, settings, log } = parts;
  const signer = await auditSigner(parts);
  const anchors = createAnchors(settings, parts);
  const anchored = await readAnchored(parts, signer);
  const checkpointer = createCheckpointer({
    ...parts,
    database,
    signer,
    anchored,
    onSigned: (one) => anchors.add(one),
  });
  for (const chain of new Set([globalChain, ...anchored.keys()])) {
    await checkpointer.upToDate(chain).catch((error: unknown) => {
      if (!(error instanceof InconsistentLogError)) throw error;
    });
  }
  observe(parts.registry, checkpointer, anchors);
  const run = async (): Promise<void> => {
    await checkpointer.run();
    await anchors.flush();
  };
  log.debug({ verifier_key: signer.verifierKey, anchors: settings }, 'audit checkpoints are signed');
  return {
    checkpointer,
    signer,
    tasks: [{ name: 'audit_checkpoints', everyMs: checkpointCheckEveryMs, run, atStop: true }],
    headers() {
      const latest = settings.isHeader ? checkpointer.latestGlobal() : undefined;
      return latest ? { 'x-audit-checkpoint': `${latest.size}:${latest.root}` } : {};
    },
  };
}

/** The newest anchored head of each chain, over all files. */
async function readAnchored(
  { settings, given, database }: CheckpointParts,
  signer: NoteSigner,
): Promise<Map<string, AnchoredHead>> {
  const stored = await auditKeysOf(database.read);
  const keys = [signer, ...given].map((one) => one.verifierKey).concat(stored.map((row) => row.verifier_key));
  const verifiers = [...new Set(keys)].map(parseVerifierKey);
  const heads = new Map<string, AnchoredHead>();
  for (const file of settings.files) {
    for (const [chain, head] of await anchoredHeads(file, verifiers)) {
      if (head.size >= (heads.get(chain)?.size ?? 0)) heads.set(chain, head);
    }
  }
  return heads;
}

/** Alarms are raised on these: see the operating guide. */
function observe(registry: Registry, checkpointer: Checkpointer, anchors: Anchors): void {
  const registers = [registry];
  const refused: Gauge = new Gauge({
    name: 'portcullis_audit_refused_chains',
    help: 'Chains that are not signed because they do not continue what was signed before; anything but 0 is an alarm',
    registers,
    collect(): void {
      refused.set(checkpointer.refusedChains().size);
    },
  });
  const size: Gauge = new Gauge({
    name: 'portcullis_audit_checkpoint_size',
    help: 'Records that the newest checkpoint over all tenants vouches for',
    registers,
    collect(): void {
      size.set(checkpointer.latestGlobal()?.size ?? 0);
    },
  });
  const failures = new Counter({
    name: 'portcullis_audit_anchor_failures_total',
    help: 'Attempts to store a checkpoint outside the database that failed; they are repeated',
    labelNames: ['anchor'],
    registers,
    collect(): void {
      failures.reset();
      for (const { kind, failures: count } of anchors.counts()) failures.inc({ anchor: kind }, count);
    },
  });
  const waiting = new Gauge({
    name: 'portcullis_audit_anchor_waiting',
    help: 'Checkpoints that wait to be stored outside the database',
    labelNames: ['anchor'],
    registers,
    collect(): void {
      waiting.reset();
      for (const { kind, waiting: count } of anchors.counts()) waiting.inc({ anchor: kind }, count);
    },
  });
}
