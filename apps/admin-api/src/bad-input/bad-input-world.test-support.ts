import { temporaryFolder } from '@portcullis/testkit';
import type { Database } from '../database/database.ts';
import { silentLog } from '../database/each-database.test-support.ts';
import { openDatabase } from '../database/open-database.ts';
import { levelOf } from '../isolation/access-rules.test-support.ts';
import type { DescribedOperation } from '../isolation/described-operations.test-support.ts';
import type { Reply, SentRequest } from '../isolation/http-client.test-support.ts';
import { type IsolationWorld, startIsolationWorld } from '../isolation/isolation-world.test-support.ts';
import { sampleRequest, type SampleRequest } from '../isolation/sample-requests.test-support.ts';

/** A filled service on a fresh SQLite database, and a second way into that. */
export interface BadInputWorld extends IsolationWorld {
  readonly database: Database;
}

/** Starts one. What stands in front of the database is the same for every database. */
export async function startBadInputWorld(): Promise<BadInputWorld> {
  const folder = await temporaryFolder();
  const url = `sqlite:${folder.join('portcullis.sqlite')}`;
  const world = await startIsolationWorld(url);
  const database = await openDatabase({ url, log: silentLog });
  return {
    ...world,
    database,
    async stop() {
      await database.close();
      await world.stop();
      await folder.remove();
    },
  };
}

/** Each operation once, at its first path. */
export function distinctOperations(world: IsolationWorld): DescribedOperation[] {
  const first = new Map<string, DescribedOperation>();
  for (const operation of world.description.operations) {
    if (!first.has(operation.id)) first.set(operation.id, operation);
  }
  return [...first.values()];
}

/** The token of somebody who may call an operation; none for public ones. */
export function callerOf(world: IsolationWorld, operation: DescribedOperation): string | undefined {
  const level = levelOf(operation);
  if (level === 'public') return undefined;
  if (level === 'data_plane') return world.principal('node').token;
  // Some fields of tenants are the super administrators' to set.
  const isTheirs = level === 'super_admin' || operation.tag === 'tenants';
  return world.principal(isTheirs ? 'super administrator' : 'admin').token;
}

/** A valid request of somebody who may make it, that uses up nothing. */
export async function validRequest(
  world: IsolationWorld,
  operation: DescribedOperation,
): Promise<SampleRequest & { readonly mark: string; readonly token: string | undefined }> {
  const place = world.place(world.own);
  const spare = async (family: string): Promise<string> => world.own.records[family] ?? '';
  const sample = await sampleRequest(world.description, operation, { ...place, spare });
  return { ...sample, mark: place.mark, token: callerOf(world, operation) };
}

/** The request with other parts. */
export function requestWith(
  valid: SampleRequest & { readonly token: string | undefined },
  change: Partial<SentRequest>,
): SentRequest {
  const query = new URLSearchParams(valid.query).toString();
  return {
    method: valid.method,
    path: valid.path + (query === '' ? '' : `?${query}`),
    body: valid.body,
    ...(valid.token !== undefined && { token: valid.token }),
    ...change,
  };
}

/** What is wrong with an answer as a problem document; nothing when it is one of that status. */
export function problemMistake(reply: Reply, status: number, code?: string): string | undefined {
  const { json } = reply;
  const isProblem =
    reply.headers['content-type'] === 'application/problem+json' &&
    typeof json?.code === 'string' &&
    json.request_id === reply.headers['x-request-id'] &&
    json.status === reply.status;
  if (isProblem && reply.status === status && (code === undefined || json.code === code)) return undefined;
  return `wanted ${status}${code === undefined ? '' : ` ${code}`}, got ${reply.status} ${reply.text.slice(0, 250)}`;
}

/** What leaves a record of its own a little after its answer, although nothing was written. Source: the audit policy. */
const refusals = ['refused', 'login_refused'];

/** Rows that writes leave behind, to see that refused ones left none. */
export async function writtenRows(database: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of ['resources', 'audit_records', 'changes'] as const) {
    const query = database.read.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('rows'));
    counts[table] = (await query.executeTakeFirstOrThrow()).rows;
  }
  const late = database.read.selectFrom('audit_records').where('action', 'in', refusals);
  const { rows } = await late.select(({ fn }) => fn.countAll<number>().as('rows')).executeTakeFirstOrThrow();
  counts['audit_records'] = (counts['audit_records'] ?? 0) - rows;
  return counts;
}
