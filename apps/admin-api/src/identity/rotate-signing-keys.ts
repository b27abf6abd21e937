import type { Transaction } from 'kysely';
import type { SigningKeyRow, Tables } from '../database/tables.ts';
import { type Actor, systemActor } from '../resources/actor.ts';
import { inWriteSession, type WriteSession, type WriteSessionParts } from '../resources/write-session.ts';
import { accessTokenSeconds, clockLeewaySeconds } from './access-tokens.ts';
import { newSigningKey, type NewSigningKeyParts } from './new-signing-key.ts';
import { signingKeyTimes } from './signing-keys.ts';

/** A key is superseded by age after this, when the service looks; an administrator can do so at any time. */
export const signingKeyLifetimeMs = 30 * 86_400_000;

/** How often the service looks whether the newest key is too old. */
export const rotationCheckEveryMs = 3_600_000;

/** How long a superseded key still verifies: it may sign until the new one does, and its last token has to run out. */
export const overlapMs: number = 2 * signingKeyTimes.verifyOnlyMs + (accessTokenSeconds + clockLeewaySeconds) * 1000;

/** What rotation needs. */
export interface RotationParts extends WriteSessionParts, NewSigningKeyParts {}

/** The keys after a rotation, oldest first. */
export type RotatedKeys = readonly Pick<SigningKeyRow, 'kid' | 'created_at' | 'retired_at'>[];

/**
 * Makes a new signing key. The others verify until the last token of theirs is over or, when they are revoked, are gone: then
 * every access token is refused at once, and users refresh. Source: security, kid, rotation.
 */
export async function rotateSigningKeys(
  parts: RotationParts,
  actor: Actor,
  options: { readonly revokePrevious: boolean },
): Promise<RotatedKeys> {
  const made = await newSigningKey(parts);
  const { result } = await inWriteSession(parts, '', actor, (session) => rotate(parts, session, made, options));
  return result;
}

/**
 * Rotates when the newest key is older than {@link signingKeyLifetimeMs}. Of replicas that find so at once only one does.
 * @returns whether this one did
 */
export async function rotateAgedSigningKeys(parts: RotationParts): Promise<boolean> {
  const isDue = (newest: SigningKeyRow | undefined): boolean =>
    newest !== undefined && newest.created_at + signingKeyLifetimeMs <= parts.nowMs();
  if (!isDue((await keysOf(parts.database.read)).at(-1))) return false;
  const made = await newSigningKey(parts);
  const { result } = await inWriteSession(parts, '', systemActor('housekeeping'), async (session) => {
    if (!isDue((await keysOf(session.transaction)).at(-1))) return false;
    await rotate(parts, session, made, { revokePrevious: false });
    return true;
  });
  return result;
}

async function rotate(
  parts: RotationParts,
  session: WriteSession,
  made: SigningKeyRow,
  { revokePrevious }: { readonly revokePrevious: boolean },
): Promise<RotatedKeys> {
  const { transaction } = session;
  const now = parts.nowMs();
  const previous = await keysOf(transaction);
  const over = transaction.deleteFrom('signing_keys');
  await (revokePrevious ? over : over.where('retired_at', '<=', now)).execute();
  const superseded = transaction.updateTable('signing_keys').set({ retired_at: now + overlapMs });
  await superseded.where('retired_at', 'is', null).execute();
  // A replica whose clock is behind must not date the new key before the ones that it supersedes.
  const createdAt = Math.max(made.created_at, (previous.at(-1)?.created_at ?? 0) + 1);
  await transaction
    .insertInto('signing_keys')
    .values({ ...made, created_at: createdAt })
    .execute();
  session.note(
    { family: 'signing-keys', id: made.kid, action: 'create', gateway_id: null },
    {
      action: 'rotate',
      entityType: 'signing_key',
      entityId: made.kid,
      metadata: { revoke_previous: revokePrevious, previous: previous.map(({ kid }) => kid) },
    },
  );
  const keys = await keysOf(transaction);
  return keys.map(({ kid, created_at, retired_at }) => ({ kid, created_at, retired_at }));
}

function keysOf(executor: RotationParts['database']['read'] | Transaction<Tables>): Promise<SigningKeyRow[]> {
  return executor.selectFrom('signing_keys').selectAll().orderBy('created_at').orderBy('kid').execute();
}
