import type { Client } from '../control-plane/client.ts';
import type { Random } from '../random.ts';
import { changedBundle, sampleBundle } from './sample-bundle.ts';

/** A command that is interrupted. It may be given twice: the second time it finds nothing to do. */
export interface Command {
  /** Gives it, and waits for the answer. @throws Error when it is refused */
  give(client: Client): Promise<void>;
  /** A bundle all of whose records the tenant then has. */
  readonly outcome: object;
}

/** A kind of command. */
export interface OperationKind {
  readonly name: string;
  /** Brings a tenant into the state before the command. The same draws are made for each tenant. */
  prepare(client: Client, tenantId: string, size: number, random: Random): Promise<Command>;
}

const config = '/api/v1/admin/config';

/** @throws Error naming the answer when it says that it did not succeed */
async function apply(client: Client, path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await client.expect('POST', path, 200, body);
  if (answer.status !== 'success') throw new Error(`POST ${path}: ${JSON.stringify(answer).slice(0, 2000)}`);
  return answer;
}

const syncPath = `${config}/sync?dry_run=false`;

const sync: OperationKind = {
  name: 'sync',
  async prepare(client, tenantId, size, random) {
    const { before, after } = bundles(tenantId, size, random);
    await apply(client, syncPath, before);
    return { outcome: after, give: async (at) => void (await apply(at, syncPath, after)) };
  },
};

const importing: OperationKind = {
  name: 'import',
  async prepare(client, tenantId, size, random) {
    const { before, after } = bundles(tenantId, size, random);
    await apply(client, syncPath, before);
    const path = `${config}/import?overwrite=true&snapshot=true`;
    return { outcome: after, give: async (at) => void (await apply(at, path, after)) };
  },
};

/** What came after a snapshot is undone; `restore` leaves records that are new since then. */
function rollback(mode: 'restore' | 'exact'): OperationKind {
  return {
    name: `rollback-${mode}`,
    async prepare(client, tenantId, size, random) {
      const { before, after } = bundles(tenantId, size, random);
      await apply(client, syncPath, before);
      const snapshot = await client.expect('POST', `${config}/snapshots`, 201, { tenant_id: tenantId, note: 'before' });
      await apply(client, syncPath, after);
      const path = `${config}/snapshots/${snapshot.id}/rollback`;
      const body = { tenant_id: tenantId, dry_run: false, mode };
      return { outcome: before, give: async (at) => void (await apply(at, path, body)) };
    },
  };
}

/** What a tenant has before the command, and what the command brings. */
function bundles(tenantId: string, size: number, random: Random) {
  const first = sampleBundle(size, random);
  const later = changedBundle(first, size, random);
  return { before: { tenant_id: tenantId, ...first }, after: { tenant_id: tenantId, ...later } };
}

/** Every kind by name. */
export const operationKinds: readonly OperationKind[] = [sync, importing, rollback('exact'), rollback('restore')];
