import type { QueryValue } from '@portcullis/admin-client';
import type { Session, Success } from '../api/session.ts';
import { checkTenant } from './read-bundle.ts';
import type { BundleInput } from './read-bundle.ts';
import { withProgress } from './with-progress.ts';

/** Sends a bundle to one of the configuration endpoints, once. @throws CommandFailure for anything but success */
export async function sendBundle(
  session: Session,
  operation: 'diff' | 'sync' | 'import',
  input: BundleInput,
  query: Readonly<Record<string, QueryValue>>,
): Promise<Success> {
  checkTenant(input, session.tenantId);
  const { text, contentType } = input;
  const request = { query: { tenant_id: session.tenantId, ...query }, body: text, contentType };
  const doing = query['dry_run'] === false ? 'applying' : 'comparing';
  const path = `/api/v1/admin/config/${operation}`;
  return withProgress(doing, () => session.call('POST', path, request));
}
