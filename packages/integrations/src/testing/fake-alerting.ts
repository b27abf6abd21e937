import type { FakeBehaviour } from './fake-system.ts';

/** An account, and its one key. */
export interface FakeAlerting {
  readonly apiKey: string;
  readonly name?: string;
  readonly id?: string;
  readonly plan?: string;
}

/** The account of Opsgenie. Source: Opsgenie's Account API, `GET /v2/account`. */
export function fakeAlerting({ apiKey, name = 'acme', id, plan = 'Enterprise' }: FakeAlerting): FakeBehaviour {
  return ({ path, headers }) => {
    const facts = { 'x-request-id': '43a29c5c-3dbf-4fa4-9c26-f4f71023e120', 'x-ratelimit-state': 'OK' };
    if (headers.authorization !== `GenieKey ${apiKey}`)
      return { status: 401, headers: facts, body: { message: 'Could not authenticate', took: 0.1 } };
    if (path !== '/v2/account') return { status: 404, headers: facts, body: { message: 'no' } };
    const data = { name, ...(id !== undefined && { id }), userCount: 3, plan: { maxUserCount: 1500, name: plan } };
    return { status: 200, headers: facts, body: { data, took: 0.084, requestId: facts['x-request-id'] } };
  };
}
