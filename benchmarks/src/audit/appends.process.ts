/**
 * Writes of records with their audit records, by some writers at once, on one database with the chain and on one without, in
 * turns. Arguments: `sqlite:PATH` or a PostgreSQL URL for each, writers, milliseconds of a turn, turns. Prints JSON.
 */
import { quantile } from '../figures/quantile.ts';

const [plainUrl = '', chainedUrl = '', writers = '16', turnMs = '2000', turns = '5'] = process.argv.slice(2);

/** The control plane's own parts, from its source: what is measured is what runs. */
const part = (path: string): Promise<Record<string, (...args: unknown[]) => unknown>> =>
  import(new URL(`../../../apps/admin-api/src/${path}`, import.meta.url).href);

interface Transactional {
  transaction(work: (transaction: unknown) => Promise<unknown>): Promise<unknown>;
  close(): Promise<void>;
}

const silent = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };
const { openDatabase } = await part('database/open-database.ts');
const { createAuditTrail } = await part('audits/audit-trail.ts');
const { createRevisions } = await part('revisions/revisions.ts');
const { createResourceStore } = await part('store/create-resource-store.ts');
const { gatewayOfChange } = await part('data-planes/gateway-revision.ts');
const { createServiceMetrics } = await part('operations/service-metrics.ts');
const clock = { nowMs: Date.now, monotonicMs: () => performance.now() };

/** One create of a service, as the control plane does it. */
async function openSide(url: string, isChained: boolean) {
  const raw = (await openDatabase?.({ url, log: silent })) as Transactional;
  const metrics = createServiceMetrics?.() as { registry: unknown };
  const trail = createAuditTrail?.({ ...clock, database: raw, log: silent, registry: metrics.registry }) as {
    database: Transactional;
    audit: { append(transaction: unknown, entries: readonly object[]): Promise<void> };
  };
  const database = isChained ? trail.database : raw;
  const store = createResourceStore?.() as { insert(transaction: unknown, write: object): Promise<{ ok: boolean }> };
  const revisions = createRevisions?.({ clock, database, gatewayOf: gatewayOfChange }) as {
    lock(transaction: unknown, tenantId: string): Promise<number>;
    advance(transaction: unknown, tenantId: string, base: number, changes: readonly object[]): Promise<number>;
  };
  const family = 'services';
  const write = async (tenantId: string): Promise<void> => {
    const id = crypto.randomUUID();
    const nowMs = Date.now();
    const body = { id, name: id, description: 'x'.repeat(300), host: 'example.com', port: 443, tags: ['a', 'b'] };
    const record = {
      tenantId,
      family,
      id,
      gatewayId: null,
      name: id,
      revision: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    const keys = [{ keyName: 'name', scope: tenantId, value: id }];
    const act = { action: 'create', entityType: 'service', entityId: id, after: body };
    const actor = { actorId: 'bench', actorUsername: 'bench', requestId: id, sourceIp: '192.0.2.1' };
    await database.transaction(async (transaction) => {
      const base = await revisions.lock(transaction, tenantId);
      const whole = { ...record, enabled: true, body, secrets: {}, tenantRevision: base + 1 };
      const { ok } = await store.insert(transaction, { record: whole, keys, references: [] });
      if (!ok) throw new Error('the record was not taken');
      await trail.audit.append(transaction, [{ ...actor, ...act, tenantId }]);
      await revisions.advance(transaction, tenantId, base, [{ family, id, action: 'create', gateway_id: null }]);
    });
  };
  return { write, close: () => raw.close() };
}

async function turn({ write }: Awaited<ReturnType<typeof openSide>>) {
  const latenciesMs: number[] = [];
  const startMs = performance.now();
  const endMs = startMs + Number(turnMs);
  const writer = async (index: number): Promise<void> => {
    while (performance.now() < endMs) {
      const sentMs = performance.now();
      await write(`tenant-${index}`);
      latenciesMs.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: Number(writers) }, (_, index) => writer(index)));
  const perSecond = latenciesMs.length / ((performance.now() - startMs) / 1000);
  return { perSecond, p99Ms: quantile(Float64Array.from(latenciesMs), 0.99) ?? 0 };
}

const [plain, chained] = [await openSide(plainUrl, false), await openSide(chainedUrl, true)];
const [plainTurns, chainedTurns]: [Awaited<ReturnType<typeof turn>>[], Awaited<ReturnType<typeof turn>>[]] = [[], []];
// The first turn warms both up.
for (let index = 0; index <= Number(turns); index += 1) {
  const [first, second] = index % 2 === 0 ? [plain, chained] : [chained, plain];
  const [one, other] = [await turn(first), await turn(second)];
  if (index === 0) continue;
  plainTurns.push(index % 2 === 0 ? one : other);
  chainedTurns.push(index % 2 === 0 ? other : one);
}
const median = (values: readonly number[]): number => quantile(Float64Array.from(values), 0.5) ?? 0;
const ratios = chainedTurns.map(({ perSecond }, index) => perSecond / (plainTurns[index]?.perSecond ?? Number.NaN));
console.log(
  JSON.stringify({
    plain_per_second: median(plainTurns.map(({ perSecond }) => perSecond)),
    chained_per_second: median(chainedTurns.map(({ perSecond }) => perSecond)),
    chained_p99_ms: median(chainedTurns.map(({ p99Ms }) => p99Ms)),
    ratio: median(ratios),
  }),
);
await Promise.all([plain.close(), chained.close()]);
process.exit(0);
