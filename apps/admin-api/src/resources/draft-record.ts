import type { Family } from '@portcullis/resources';
import type { Transaction } from 'kysely';
import type { Executor } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { Problem } from '../http/problem.ts';
import type { FieldProblem } from '../http/problem.ts';
import type { RecordToWrite, ReferenceValue, StoredRecord } from '../store/resource-store.ts';
import type { FamilyBehaviour, Prepared } from './family-behaviour.ts';
import { applyAliases, checkRecord } from './record-input.ts';
import type { CheckedInput } from './record-input.ts';
import { keysOf } from './record-keys.ts';
import { ledAwaySecrets } from './kept-secrets.ts';
import { changedImmutables, resolveReferences } from './references.ts';
import { restoreMasks, sealSecrets, secretPointersOf } from './secret-values.ts';
import type { Values } from './values.ts';
import type { WriteParts } from './write-parts.ts';
import type { WriteSession } from './write-session.ts';

/** What drafting takes of a session; or what stands in for one that is yet to open. */
export type DraftingSession = Pick<WriteSession, 'tenantId' | 'actor' | 'baseRevision' | 'aside'> & {
  /** The session's transaction. Without one records are read as they are. */
  readonly transaction: Executor;
};

/** A record that is ready to be stored. */
export interface DraftedRecord {
  readonly item: RecordToWrite;
  /** What only the answer to this write may show. */
  readonly reveal: Values;
  readonly effect: Effect | undefined;
}

/** What has to be written once the record is. */
type Effect = NonNullable<Extract<Prepared, { readonly ok: true }>['effect']>;

/** The sent fields, and what `RecordWriter.anticipate` made of them. */
export interface SentRecord {
  readonly sent: Values;
  readonly anticipated: Values;
}

/**
 * Checks what was sent and makes the record of it: aliases, masks, fields and rules, references, the family's behaviour, keys.
 * @param stored the record as it stands, when this is an update. @throws Problem that says everything that is wrong
 */
export async function draftRecord(
  parts: WriteParts,
  session: DraftingSession,
  family: Family,
  place: { readonly id: string; readonly gatewayId: string | null },
  { sent, anticipated }: SentRecord,
  stored: StoredRecord | undefined,
): Promise<DraftedRecord> {
  const { tenantId, transaction } = session;
  const general = parts.behaviours.get(family.name);
  const behaviour = (await general?.forRecord?.(transaction, tenantId, sent, session.aside)) ?? general;
  const aliased = demand(applyAliases(family, sent));
  const named = withKeptFields(behaviour, behaviour?.canonical?.(aliased) ?? aliased, stored);
  const secrets = await parts.secrets.forTenant(tenantId, asTransaction(transaction));
  const masked = { pointers: secretPointersOf(family, behaviour, named), hashed: behaviour?.hashedSecrets ?? {} };
  const unmasked = restoreMasks(secrets, named, masked, stored);
  if (unmasked.problems.length > 0)
    throw new Problem('secret_required', 'a secret is masked', { errors: unmasked.problems });
  const checked = demand(checkRecord(family, unmasked.values));
  const context = { store: parts.store, executor: transaction, tenantId, gatewayId: place.gatewayId };
  const resolved = await resolveReferences(context, family, checked);
  if (!resolved.ok) throw invalid(resolved.problems);
  const values = behaviour?.derive?.(resolved.values, stored?.body) ?? resolved.values;
  refuse([...(stored ? changedImmutables(family, stored.body, values) : []), ...(behaviour?.check?.(values) ?? [])]);
  const destinations = behaviour?.secretDestinations;
  const ledAway = destinations && unmasked.kept ? ledAwaySecrets(destinations, values, unmasked.kept) : [];
  if (ledAway.length > 0) throw new Problem('secret_required', 'a secret would go elsewhere', { errors: ledAway });
  const prepared = (await behaviour?.prepare?.({
    executor: transaction,
    principal: session.actor.principal,
    tenantId,
    gatewayId: place.gatewayId,
    id: place.id,
    values,
    stored,
    anticipated,
    revision: session.baseRevision + 1,
    maskOf: secrets.maskOf,
  })) ?? { ok: true, body: values };
  if (!prepared.ok) throw invalid(prepared.problems);
  const pointers = secretPointersOf(family, behaviour, prepared.body);
  const { body, sealed } = sealSecrets(secrets, { family: family.name, id: place.id }, prepared.body, pointers);
  const nowMs = parts.nowMs();
  const record: StoredRecord = {
    tenantId,
    family: family.name,
    id: place.id,
    gatewayId: place.gatewayId,
    name: textOf(body['name']) ?? textOf(body['username']) ?? null,
    enabled: body['enabled'] !== false,
    revision: (stored?.revision ?? 0) + 1,
    createdAtMs: stored?.createdAtMs ?? nowMs,
    updatedAtMs: nowMs,
    body,
    secrets: sealed,
    tenantRevision: session.baseRevision + 1,
  };
  const references = [...resolved.references, ...parentReference(family, place.gatewayId)];
  const item = { record, keys: keysOf(family, record, record.body), references };
  return { item, reveal: prepared.reveal ?? {}, effect: prepared.effect };
}

function asTransaction(executor: Executor): Transaction<Tables> | undefined {
  return executor.isTransaction ? (executor as Transaction<Tables>) : undefined;
}

/** The sent fields, and those that stay as they are when they are not among them. */
function withKeptFields(
  behaviour: FamilyBehaviour | undefined,
  sent: Values,
  stored: StoredRecord | undefined,
): Values {
  if (!stored || !behaviour?.keptFields) return sent;
  const kept = behaviour.keptFields.filter((field) => (sent[field] ?? null) === null && field in stored.body);
  return { ...sent, ...Object.fromEntries(kept.map((field) => [field, stored.body[field]])) };
}

/** Every record of a gateway refers to it, so that a gateway with records cannot go. */
export function parentReference(family: Family, gatewayId: string | null): ReferenceValue[] {
  return family.scope === 'gateway' && gatewayId !== null
    ? [{ field: 'gateway_id', targetFamily: 'gateways', targetId: gatewayId }]
    : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function demand(input: CheckedInput): Values {
  if (!input.ok) throw invalid(input.problems);
  return input.values;
}

function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw invalid(problems);
}

/** A 422 for field mistakes; one that is only about missing targets carries their own code. */
function invalid(problems: readonly FieldProblem[]): Problem {
  const [first] = problems;
  if (first && problems.every((problem) => problem.code === 'reference_not_found')) {
    return new Problem('reference_not_found', first.message, { errors: problems });
  }
  const count = problems.length === 1 ? '1 field is' : `${problems.length} fields are`;
  return new Problem('validation_failed', `${count} invalid`, { errors: problems });
}
