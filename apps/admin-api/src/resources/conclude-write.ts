import type { Family } from '@portcullis/resources';
import type { StoredRecord } from '../store/resource-store.ts';
import { auditedView } from './audited-view.ts';
import type { WriteParts } from './write-parts.ts';
import type { WriteSession } from './write-session.ts';

/** Lets the family's behaviour do its part of a write, and notes it for the change log and the audit log. */
export async function concludeWrite(
  parts: WriteParts,
  session: WriteSession,
  family: Family,
  before: StoredRecord | undefined,
  after: StoredRecord | undefined,
): Promise<void> {
  const record = after ?? before;
  if (!record) return;
  const action = !before ? 'create' : after ? 'update' : 'delete';
  const { transaction, actor } = session;
  const moveGateway = (gatewayId: string): void =>
    session.touch({ family: 'gateways', id: gatewayId, action: 'update', gateway_id: null });
  const revision = session.baseRevision + 1;
  const change = { transaction, principal: actor.principal, revision, before, after, moveGateway };
  await parts.behaviours.get(family.name)?.afterWrite?.(change);
  await session.history.keep(before, after);
  session.note(
    { family: family.name, id: record.id, action, gateway_id: record.gatewayId },
    {
      action,
      entityType: family.singular,
      entityId: record.id,
      ...(before && { before: await auditedView(parts.secrets, transaction, family, before) }),
      ...(after && { after: await auditedView(parts.secrets, transaction, family, after) }),
    },
  );
}
