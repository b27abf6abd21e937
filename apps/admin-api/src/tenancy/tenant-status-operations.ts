import { familyNamed, readSchema } from '@portcullis/resources';
import type { Operation, OperationInput, OperationOutput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import { identityFamilies } from '../identity/user-directory.ts';
import { actorOf } from '../resources/actor.ts';
import type { RecordReader } from '../resources/record-reader.ts';
import { viewOf } from '../resources/record-view.ts';
import { inWriteSession, type WriteSession, type WriteSessionParts } from '../resources/write-session.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';

/** What the operations work with. */
export interface TenantStatusParts extends WriteSessionParts {
  readonly store: ResourceStore;
  readonly reader: RecordReader;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

interface Transition {
  readonly verb: 'deactivate' | 'activate';
  readonly to: 'inactive' | 'active';
  readonly summary: string;
}

const transitions: readonly Transition[] = [
  {
    verb: 'deactivate',
    to: 'inactive',
    summary: 'Refuse its users, tokens and data planes; everything else stays as it is',
  },
  {
    verb: 'activate',
    to: 'active',
    summary: 'Let its users, tokens and data planes in again, with the same credentials',
  },
];

const tenants = familyNamed(identityFamilies.tenants);

/**
 * Deactivation and activation. Nothing cascades: callers of the tenant are refused while it is inactive, at once on replicas
 * that hear of the change and within 5 s on the others, and their sessions and tokens are good again afterwards. Source:
 * spec, Tenant states; decisions, 5.
 */
export function tenantStatusOperations(parts: TenantStatusParts): Operation[] {
  return transitions.map((transition) => ({
    id: `${transition.verb}Tenant`,
    method: 'POST',
    paths: [`/admin/tenants/{tenant_id}/${transition.verb}`],
    tag: 'tenants',
    summary: transition.summary,
    access: 'super_admin',
    responses: [
      { status: 200, description: 'The tenant', schema: readSchema(tenants), headers: ['etag'] },
      { status: 409, description: `The tenant is ${transition.to} already` },
    ],
    handler: (input) => changeStatus(parts, transition, input),
  }));
}

async function changeStatus(
  parts: TenantStatusParts,
  transition: Transition,
  { principal, path, request }: OperationInput,
): Promise<OperationOutput> {
  const place = { tenantId: '', gatewayId: null };
  const { result } = await inWriteSession(parts, '', actorOf(principal, request), async (session) => {
    const id = path['tenant_id'] ?? '';
    const stored = await parts.reader.find(session.transaction, principal, tenants, place, id);
    if (stored.body['status'] === transition.to) {
      throw new Problem('invalid_state', `the tenant is ${transition.to} already`);
    }
    return store(parts, session, transition, stored);
  });
  return { status: 200, headers: { etag: `"${result.revision}"` }, body: viewOf(tenants, result) };
}

async function store(
  parts: TenantStatusParts,
  session: WriteSession,
  transition: Transition,
  stored: StoredRecord,
): Promise<StoredRecord> {
  const record: StoredRecord = {
    ...stored,
    revision: stored.revision + 1,
    updatedAtMs: parts.nowMs(),
    body: { ...stored.body, status: transition.to },
    tenantRevision: session.baseRevision + 1,
  };
  const keys = [{ keyName: 'slug', scope: '', value: stored.id }];
  const result = await parts.store.update(session.transaction, { record, keys, references: [] }, stored.revision);
  // The lock of all tenants is held, so nobody else can have changed the record.
  if (!result.ok) throw new Error(`the status of a tenant could not be stored: ${result.conflict.kind}`);
  session.note(
    { family: tenants.name, id: record.id, action: 'update', gateway_id: null },
    {
      action: transition.verb,
      entityType: tenants.singular,
      entityId: record.id,
      before: viewOf(tenants, stored),
      after: viewOf(tenants, record),
    },
  );
  return record;
}
