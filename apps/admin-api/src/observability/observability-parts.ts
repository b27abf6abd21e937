import type { OperationInput } from '../http/operation.ts';
import type { Principal } from '../identity/principal.ts';
import type { TenantScope } from '../identity/tenant-scope.ts';
import type { WriteSessionParts } from '../resources/write-session.ts';

/** What the observability endpoints work with. */
export interface ObservabilityOperationParts extends WriteSessionParts {
  readonly scope: TenantScope;
  readonly nowMs: () => number;
  /** Whose bearer token this is; asked again and again while a stream is open. */
  readonly authenticate: (bearerToken: string) => Promise<Principal | undefined>;
  /** Fires when the service begins to stop. */
  readonly shutdown: AbortSignal;
}

/** The tag of the endpoints in the API description. */
export const observabilityTag = 'observability';

/** The tenant that is read. Source: spec, Authentication, 5. */
export function readTenant(scope: TenantScope, { principal, query }: OperationInput): Promise<string> {
  return scope.resolve({ principal, inQuery: query['tenant_id'], isWrite: false });
}

/** A parameter's text, if it was given. */
export function givenText({ query }: OperationInput, name: string): string | undefined {
  const value = query[name];
  return typeof value === 'string' ? value : undefined;
}
