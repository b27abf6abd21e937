import * as v from 'valibot';
import type { Operation, OperationInput } from '../../http/operation.ts';
import { tenantIdParameter } from '../../http/query-parameters.ts';
import { actorOf } from '../../resources/actor.ts';
import { inWriteSession } from '../../resources/write-session.ts';
import type { AuditOperationParts } from '../operations/audit-parts.ts';
import { chainName, globalChain } from '../operations/chain-port.ts';
import { daysFor, retentionRules } from './retention-rules.ts';

/** A hundred years. */
const daysMax = 36_525;

const days = v.nullable(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1, 'must be at least 1'),
    v.maxValue(daysMax, `must be at most ${daysMax}`),
  ),
);
const bodySchema = v.pipe(
  v.strictObject({ tenant_id: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(128))), days }),
  v.title('AuditRetentionRule'),
);
const shownSchema = v.pipe(
  v.object({
    tenant_id: v.nullable(v.string()),
    days: v.nullable(v.number()),
    effective_days: v.nullable(v.number()),
    pruned_through: v.number(),
  }),
  v.title('AuditRetention'),
);

/**
 * How long records are kept at least. Without a tenant the rule is for what belongs to none, and for tenants without a rule of
 * their own; `null` keeps for ever, which is what is done without any rule.
 */
export function retentionOperations(parts: AuditOperationParts): Operation[] {
  const responses = [{ status: 200, description: 'The rule, and what was deleted by it so far', schema: shownSchema }];
  const common = { paths: ['/admin/audits/retention'], tag: 'audits', query: [tenantIdParameter], responses } as const;
  return [
    {
      ...common,
      id: 'getAuditRetention',
      method: 'GET',
      summary: 'How long audit records are kept',
      access: 'session',
      async handler(input) {
        return { status: 200, body: await shown(parts, await tenantOf(parts, input)) };
      },
    },
    {
      ...common,
      id: 'setAuditRetention',
      method: 'PUT',
      summary: 'Sets how long audit records are kept at least; older ones are deleted once their checkpoint is signed',
      access: 'super_admin',
      body: { schema: bodySchema },
      async handler(input) {
        const tenantId = await tenantOf(parts, input);
        await setRule(parts, input, tenantId, (input.body as v.InferOutput<typeof bodySchema>).days);
        return { status: 200, body: await shown(parts, tenantId) };
      },
    },
  ];
}

/** Empty for the rule that all tenants without one of their own have. */
function tenantOf(
  { scope }: AuditOperationParts,
  { principal, query, body, request }: OperationInput,
): Promise<string> {
  const inBody = typeof body === 'object' && body !== null && 'tenant_id' in body ? body.tenant_id : undefined;
  const isWrite = request.method === 'PUT';
  return scope.resolveOptional({ principal, inQuery: query['tenant_id'], inBody, isWrite });
}

async function shown({ database }: AuditOperationParts, tenantId: string) {
  const rules = await retentionRules(database.read);
  const chain = tenantId === '' ? globalChain : chainName(tenantId);
  const cut = await database.read
    .selectFrom('audit_retention')
    .select('pruned_through')
    .where('chain', '=', chain)
    .executeTakeFirst();
  return {
    tenant_id: tenantId === '' ? null : tenantId,
    days: rules.get(tenantId) ?? null,
    effective_days: daysFor(rules, tenantId) ?? null,
    pruned_through: cut?.pruned_through ?? 0,
  };
}

async function setRule(
  parts: AuditOperationParts,
  input: OperationInput,
  tenantId: string,
  wanted: number | null,
): Promise<void> {
  await inWriteSession(parts, tenantId, actorOf(input.principal, input.request), async (session) => {
    const { transaction } = session;
    const before = (await retentionRules(transaction)).get(tenantId) ?? null;
    if (before === wanted) return;
    await transaction.deleteFrom('audit_retention_rules').where('tenant_id', '=', tenantId).execute();
    if (wanted !== null)
      await transaction.insertInto('audit_retention_rules').values({ tenant_id: tenantId, days: wanted }).execute();
    session.noteAct({
      action: 'update',
      entityType: 'audit_retention',
      entityId: tenantId === '' ? globalChain : tenantId,
      before: { days: before },
      after: { days: wanted },
    });
  });
}
