import { type FakeCredentials, isAuthorized } from './fake-credentials.ts';
import type { FakeBehaviour } from './fake-system.ts';

/** A row of the table `incident`. */
export type FakeIncident = Readonly<Record<string, string>>;

/** An instance, who may ask it, and its incidents. */
export interface FakeServiceManagement extends FakeCredentials {
  readonly incidents?: readonly FakeIncident[];
}

/** The incident table of ServiceNow. Source: ServiceNow's Table API, `GET /api/now/table/{tableName}`. */
export function fakeServiceManagement({ incidents = [], ...credentials }: FakeServiceManagement): FakeBehaviour {
  return ({ path, query, headers }) => {
    if (!isAuthorized(headers.authorization, credentials))
      return { status: 401, body: { error: { message: 'User Not Authenticated', detail: '' }, status: 'failure' } };
    if (path !== '/api/now/table/incident') return { status: 404, body: { status: 'failure' } };
    const fields = query.get('sysparm_fields')?.split(',') ?? [];
    const rows = incidents.slice(0, Number(query.get('sysparm_limit') ?? 10_000));
    const result = rows.map((row) => Object.fromEntries(fields.map((name) => [name, row[name] ?? ''])));
    return { status: 200, headers: { 'x-total-count': String(incidents.length) }, body: { result } };
  };
}
