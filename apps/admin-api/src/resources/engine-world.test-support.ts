import { afterAll, beforeAll, expect } from 'vitest';
import type { SuiteContext } from '../database/each-database.test-support.ts';
import { password, startTestService } from '../testing/test-service.test-support.ts';
import type { TestService } from '../testing/test-service.test-support.ts';

/** An answer of the service. */
export interface EngineAnswer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

/** The tenant that the records of these tests belong to. It has the gateway `edge`. */
export const tenantId = 'acme';

/** A service with a tenant and a gateway for the tests of a suite, called as super administrator. */
export function engineWorld(context: SuiteContext) {
  let service: TestService;
  let token = '';

  const call = async (method: string, path: string, body?: unknown, headers = {}): Promise<EngineAnswer> => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  const inTenant = (path: string): string =>
    `/api/v1/admin${path}${path.includes('?') ? '&' : '?'}tenant_id=${tenantId}`;
  const make = async (path: string, body: object): Promise<EngineAnswer['body']> => {
    const answer = await call('POST', inTenant(path), body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const rows = (table: 'audit_records' | 'changes' | 'resources') =>
    context.database().read.selectFrom(table).selectAll().where('tenant_id', '=', tenantId).execute();
  const revision = async (): Promise<number> => {
    const query = context.database().read.selectFrom('tenant_revisions').select('revision');
    return (await query.where('tenant_id', '=', tenantId).executeTakeFirst())?.revision ?? 0;
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    token = (await call('POST', '/auth/login', { username: 'admin', password })).body.access_token;
    expect((await call('POST', '/api/v1/admin/tenants', { name: 'Acme', slug: tenantId })).status).toBe(201);
    await make('/gateways', { id: 'edge', name: 'edge' });
  });
  afterAll(() => service.stop());
  return { call, inTenant, make, rows, revision, service: () => service };
}
