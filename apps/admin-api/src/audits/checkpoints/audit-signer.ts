import { createSigner, type NoteSigner, privateKeyFromSeed, signNote } from '@portcullis/audit-chain';
import type { Transaction } from 'kysely';
import type { AuditKeyRow } from '../../database/audit-tables.ts';
import type { Executor } from '../../database/database.ts';
import type { Tables } from '../../database/tables.ts';
import type { Log } from '../../logging.ts';
import { systemActor } from '../../resources/actor.ts';
import { inWriteSession, type NotedAct, type WriteSessionParts } from '../../resources/write-session.ts';
import { type SecretBox, SYSTEM_TENANT } from '../../secrets/secret-box.ts';

/** What finding the key takes. */
export interface AuditSignerParts extends WriteSessionParts {
  readonly secrets: Pick<SecretBox, 'seal' | 'open'>;
  readonly log: Pick<Log, 'info' | 'error'>;
  readonly nowMs: () => number;
  readonly randomBytes: (size: number) => Buffer;
  /** Of `PORTCULLIS_AUDIT_KEY`, the one that signs first; empty when it is not set. */
  readonly given: readonly NoteSigner[];
}

/** The key that signs. */
export interface FoundSigner {
  readonly signer: NoteSigner;
  /**
   * Whether it begins to sign now although another key did before, which has not signed the change or is gone: auditors
   * cannot tell it from a forgery.
   */
  readonly isUnaccounted: boolean;
}

/** First line of what an old key signs to name the new one. */
const changeTitle = 'portcullis/audit/key-change/v1';
const seedBytes = 32;

/**
 * The key that signs checkpoints: the first that the operator gives, else one that is made once and kept sealed in the
 * database. When another one signed before, the change is an audit record that the old key signs.
 */
export async function auditSigner(parts: AuditSignerParts): Promise<FoundSigner> {
  const [chosen] = parts.given;
  const last = await newestKey(parts.database.read);
  if (chosen === undefined && isSealed(last)) return { signer: await openSealed(parts, last), isUnaccounted: false };
  if (chosen !== undefined && last?.key_id === chosen.keyId) return { signer: chosen, isUnaccounted: false };
  const { result } = await inWriteSession(parts, '', systemActor('start'), async (session) => {
    const current = await newestKey(session.transaction);
    if (chosen === undefined && isSealed(current))
      return { signer: await openSealed(parts, current), isUnaccounted: false };
    if (chosen !== undefined && current?.key_id === chosen.keyId) return { signer: chosen, isUnaccounted: false };
    const made =
      chosen === undefined ? await makeSealed(parts, session.transaction, current?.name) : { signer: chosen };
    const { signer } = made;
    const since = Math.max(parts.nowMs(), (current?.since ?? 0) + 1);
    const former = current && (await formerSigner(parts, current));
    const signedChange = former ? signNote(keyChangeText(signer), former) : null;
    const sealedSeed = 'sealed' in made ? made.sealed : null;
    await storeKey(session.transaction, { signer, sealedSeed, signedChange, since });
    // The first key of a log replaces none. Where something was signed or chained already, somebody deleted that one.
    const isUnaccounted = current ? former === undefined : await hasHistory(session.transaction);
    if (current !== undefined || isUnaccounted) session.noteAct(keyChange(signer, current, signedChange));
    return { signer, isUnaccounted, replaced: current?.verifier_key ?? null };
  });
  const { signer, isUnaccounted } = result;
  report(parts, signer, isUnaccounted, 'replaced' in result ? result.replaced : null);
  return { signer, isUnaccounted };
}

/** Whether there are records in the chains, or checkpoints. Those of a release without chains are not in them at its first start. */
async function hasHistory(executor: Executor): Promise<boolean> {
  const head = executor.selectFrom('audit_heads').select('chain').where('sequence', '>', 0).limit(1);
  const checkpoint = executor.selectFrom('audit_checkpoints').select('chain').limit(1);
  return (await head.executeTakeFirst()) !== undefined || (await checkpoint.executeTakeFirst()) !== undefined;
}

function keyChange(signer: NoteSigner, current: AuditKeyRow | undefined, signedChange: string | null): NotedAct {
  return {
    action: 'rotate',
    entityType: 'audit_key',
    entityId: signer.keyId,
    before: current ? { verifier_key: current.verifier_key } : null,
    after: { verifier_key: signer.verifierKey },
    metadata: { signed_change: signedChange },
  };
}

/** What the old key signs: that from here on the new one does. */
export function keyChangeText({ verifierKey }: Pick<NoteSigner, 'verifierKey'>): string {
  return `${changeTitle}\n${verifierKey}\n`;
}

/** The key that signs now, and those before it, newest first. */
export async function auditKeysOf(executor: Executor): Promise<readonly AuditKeyRow[]> {
  return executor.selectFrom('audit_keys').selectAll().orderBy('since', 'desc').limit(keysShownMax).execute();
}

const keysShownMax = 100;

async function newestKey(executor: Executor): Promise<AuditKeyRow | undefined> {
  return (await auditKeysOf(executor))[0];
}

function isSealed(row: AuditKeyRow | undefined): row is AuditKeyRow {
  return typeof row?.sealed_seed === 'string';
}

/** The signer of the key before: given by the operator, or sealed in the database. */
async function formerSigner(parts: AuditSignerParts, row: AuditKeyRow): Promise<NoteSigner | undefined> {
  const given = parts.given.find(({ keyId }) => keyId === row.key_id);
  return given ?? (row.sealed_seed === null ? undefined : openSealed(parts, row));
}

/** What the seed of a log's key is sealed for. */
export function sealContext(name: string): { readonly family: string; readonly id: string; readonly pointer: string } {
  return { family: 'audit-keys', id: name, pointer: '/seed' };
}

async function openSealed({ secrets }: AuditSignerParts, row: AuditKeyRow): Promise<NoteSigner> {
  const seed = await secrets.open(SYSTEM_TENANT, sealContext(row.name), row.sealed_seed ?? '');
  return createSigner(row.name, privateKeyFromSeed(Buffer.from(seed, 'base64')));
}

async function makeSealed(
  { secrets, randomBytes }: AuditSignerParts,
  transaction: Transaction<Tables>,
  logName: string | undefined,
): Promise<{ readonly signer: NoteSigner; readonly sealed: string }> {
  const name = logName ?? `portcullis-${randomBytes(4).toString('hex')}`;
  const seed = randomBytes(seedBytes);
  const sealed = await secrets.seal(SYSTEM_TENANT, sealContext(name), seed.toString('base64'), transaction);
  return { signer: createSigner(name, privateKeyFromSeed(seed)), sealed };
}

async function storeKey(
  transaction: Transaction<Tables>,
  key: { signer: NoteSigner; sealedSeed: string | null; signedChange: string | null; since: number },
): Promise<void> {
  const { signer, sealedSeed, signedChange, since } = key;
  const { name, keyId, verifierKey } = signer;
  const row = { key_id: keyId, name, verifier_key: verifierKey, sealed_seed: sealedSeed };
  await transaction
    .insertInto('audit_keys')
    .values({ ...row, signed_change: signedChange, since })
    // A key that signed earlier already is taken up again.
    .onConflict((conflict) => conflict.column('key_id').doUpdateSet({ since, signed_change: signedChange }))
    .execute();
}

function report({ log }: AuditSignerParts, signer: NoteSigner, isUnaccounted: boolean, former: string | null): void {
  log.info({ verifier_key: signer.verifierKey }, 'this key signs the checkpoints of the audit log from now on');
  if (!isUnaccounted) return;
  if (former === null) {
    log.error(
      { verifier_key: signer.verifierKey },
      'the key that signed the audit log before is gone from the database: hold the log to a checkpoint from elsewhere',
    );
    return;
  }
  log.error(
    { former },
    'the key before is not among PORTCULLIS_AUDIT_KEY, so it could not sign the change: auditors cannot tell it from a forgery',
  );
}
