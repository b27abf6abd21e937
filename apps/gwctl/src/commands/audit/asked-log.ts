import type { GlobalOptions } from '../../options.ts';

/** Options that say whose log a command is about. */
export interface LogOptions extends GlobalOptions {
  readonly tenantId?: string;
  readonly allTenants: boolean;
}

/** Where the audit log is. */
export const auditsPath = '/api/v1/admin/audits';

/** The query that names a log: nothing for the log over all tenants. */
export function logQuery(
  { allTenants }: Pick<LogOptions, 'allTenants'>,
  session: { readonly tenantId: string | undefined },
): { readonly tenant_id?: string } {
  return allTenants || session.tenantId === undefined ? {} : { tenant_id: session.tenantId };
}
