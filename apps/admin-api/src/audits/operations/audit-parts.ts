import type { NoteSigner } from '@portcullis/audit-chain';
import type { Checkpointer } from '../checkpoints/checkpointer.ts';
import type { OperationInput } from '../../http/operation.ts';
import { Problem } from '../../http/problem.ts';
import type { TenantScope } from '../../identity/tenant-scope.ts';
import type { WriteSessionParts } from '../../resources/write-session.ts';
import { type AuditDrain, chainName } from './chain-port.ts';

/** What the audit log offers beside its records. */
export interface AuditTrail extends AuditDrain {
  readonly checkpointer: Checkpointer;
  readonly signer: Pick<NoteSigner, 'name' | 'verifierKey'>;
}

/** What the audit endpoints work with. */
export interface AuditOperationParts extends WriteSessionParts {
  readonly scope: TenantScope;
  readonly trail: AuditTrail;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

/** Whose log a request is about. */
export interface AskedLog {
  /** `undefined` for the log over all tenants. */
  readonly tenantId: string | undefined;
  /** The name of its chain in the database. */
  readonly chain: string;
}

/**
 * The log that a request is about: over all tenants for a super administrator who names none, else the tenant's. A deleted
 * tenant's log may still be read. @throws Problem `cross_tenant` or `tenant_mismatch`. Source: spec, Audit list
 */
export async function askedLog({ scope }: AuditOperationParts, input: OperationInput): Promise<AskedLog> {
  const { principal, query, body } = input;
  const inQuery = query['tenant_id'];
  const inBody = typeof body === 'object' && body !== null && 'tenant_id' in body ? body.tenant_id : undefined;
  const isNamed = [inQuery, inBody].some((value) => typeof value === 'string' && value !== '');
  const isSuper = principal.kind === 'user' && principal.role === 'super_admin';
  if (isSuper && !isNamed) return { tenantId: undefined, chain: chainName(undefined) };
  const tenantId = await scope.resolve({ principal, inQuery, inBody, isWrite: false });
  return { tenantId, chain: chainName(tenantId) };
}

/** The refusal of a size or sequence that the log does not have. */
export function beyondTheLog(name: string, message: string): Problem {
  return new Problem('validation_failed', '1 parameter is invalid', {
    errors: [{ in: 'query', pointer: `/${name}`, code: 'out_of_range', message }],
  });
}
