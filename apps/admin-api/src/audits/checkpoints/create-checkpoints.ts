import type { NoteSigner } from '@portcullis/audit-chain';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { HousekeepingTask } from '../../housekeeping.ts';
import type { Log } from '../../logging.ts';
import { globalChain } from '../operations/chain-port.ts';
import { readAnchorFile } from './anchors/adapters/anchored-checkpoints.ts';
import { type Anchors, createAnchors } from './anchors/create-anchors.ts';
import type { AnchorSettings } from './anchor-setting.ts';
import { auditKeysOf, auditSigner, type AuditSignerParts } from './audit-signer.ts';
import type { VouchedHead } from './checked-root.ts';
import { type Checkpointer, checkpointCheckEveryMs, createCheckpointer } from './checkpointer.ts';
import { InconsistentLogError } from './inconsistent-log.ts';
import { verifiersOf } from './signed-checkpoint.ts';

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
  const { signer, isUnaccounted } = await auditSigner(parts);
  const anchors = createAnchors(settings, parts);
  const anchored = await readAnchored(parts, signer);
  const checkpointer = createCheckpointer({
    ...parts,
    database,
    signer,
    anchored: anchored.heads,
    standingRefusal: anchored.refusal,
    onSigned: (one) => anchors.add(one),
  });
  for (const chain of new Set([globalChain, ...anchored.heads.keys()])) {
    await checkpointer.upToDate(chain).catch((error: unknown) => {
      if (!(error instanceof InconsistentLogError)) throw error;
    });
  }
  observe(parts.registry, { checkpointer, anchors, isUnaccounted });
  const run = async (): Promise<void> => {
    await checkpointer.run();
    await anchors.flush();
  };
  // Addresses of sinks may hold tokens: how many there are is enough.
  const { files, urls, ...rest } = settings;
  const shown = { ...rest, files: files.length, urls: urls.length };
  log.debug({ verifier_key: signer.verifierKey, anchors: shown }, 'audit checkpoints are signed');
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

/** What was anchored, over all files, and why nothing may be signed where a file is not of this log. */
async function readAnchored(
  { settings, given, database, log }: CheckpointParts,
  signer: NoteSigner,
): Promise<{
  readonly heads: ReadonlyMap<string, readonly VouchedHead[]>;
  readonly refusal: InconsistentLogError | undefined;
}> {
  const stored = await auditKeysOf(database.read);
  const keys = [signer, ...given].map((one) => one.verifierKey).concat(stored.map((row) => row.verifier_key));
  const verifiers = verifiersOf(keys);
  const heads = new Map<string, readonly VouchedHead[]>();
  let refusal: InconsistentLogError | undefined;
  for (const path of settings.files) {
    const { heads: found, foreign, forked } = await readAnchorFile(path, verifiers);
    for (const [chain, own] of found) heads.set(chain, [...(heads.get(chain) ?? []), ...own]);
    if (foreign + forked === 0) continue;
    log.error(
      { file: path, foreign, forked },
      'an anchor file has checkpoints that no known key signed, or two histories: nothing is signed until it is moved away',
    );
    refusal ??=
      foreign > 0
        ? new InconsistentLogError('an anchor file has checkpoints that no known key of this log signed', 'foreign_key')
        : new InconsistentLogError('an anchor file has two checkpoints of one size', 'forked');
  }
  return { heads, refusal };
}

/** Alarms are raised on these: see the operating guide. */
function observe(
  registry: Registry,
  { checkpointer, anchors, isUnaccounted }: { checkpointer: Checkpointer; anchors: Anchors; isUnaccounted: boolean },
): void {
  const registers = [registry];
  new Gauge({
    name: 'portcullis_audit_key_unaccounted',
    help: 'Whether this process began to sign with a key that the key before has not signed; anything but 0 is an alarm',
    registers,
  }).set(isUnaccounted ? 1 : 0);
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
