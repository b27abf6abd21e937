import type { Client } from '../control-plane/client.ts';
import { randomOf, type Random } from '../random.ts';

/** A write that was answered with success. */
export interface AnsweredWrite {
  readonly id: string;
  readonly action: 'create' | 'update' | 'delete';
}

/** Writers at work. */
export interface Writers {
  /** Grows while they work. */
  readonly answered: readonly AnsweredWrite[];
  /** No further write is sent. */
  stopAsking(): void;
  /** Resolves when none waits for an answer any more. */
  readonly ended: Promise<unknown>;
}

const writersAtOnce = 8;
/** Records of one import: many in one transaction. */
const importRecords = 40;

/** Creates, changes, deletes and imports, mixed at random. Failures are what a kill looks like. */
export function startWriters(client: Client, tenantId: string, random: Random): Writers {
  const answered: AnsweredWrite[] = [];
  const asking = new AbortController();
  const tenant = `tenant_id=${tenantId}`;
  const work = async (writer: number, own: Random): Promise<void> => {
    const alive: string[] = [];
    for (let turn = 0; !asking.signal.aborted; turn += 1) {
      const draw = own.next();
      const [id] = alive;
      if (draw < 0.05) {
        const consumers = Array.from({ length: importRecords }, (_, at) => ({ username: `i-${writer}-${turn}-${at}` }));
        await client.call('POST', `/api/v1/admin/config/import?${tenant}`, { tenant_id: tenantId, consumers });
      } else if (draw < 0.55 || id === undefined) {
        const made = await client.call('POST', `/api/v1/admin/consumers?${tenant}`, {
          username: `c-${writer}-${turn}`,
        });
        if (made.status !== 201) continue;
        alive.push(String(made.body.id));
        answered.push({ id: String(made.body.id), action: 'create' });
      } else if (draw < 0.85) {
        const path = `/api/v1/admin/consumers/${id}?${tenant}`;
        const changed = await client.call('PATCH', path, { custom_id: `${writer}-${turn}` });
        if (changed.status === 200) answered.push({ id, action: 'update' });
      } else {
        alive.shift();
        const removed = await client.call('DELETE', `/api/v1/admin/consumers/${id}?${tenant}`);
        if (removed.status === 204) answered.push({ id, action: 'delete' });
      }
    }
  };
  const all = Array.from({ length: writersAtOnce }, (_, writer) =>
    work(writer, randomOf(random.below(2 ** 31))).catch(() => undefined),
  );
  return {
    answered,
    stopAsking() {
      asking.abort();
    },
    ended: Promise.all(all),
  };
}
