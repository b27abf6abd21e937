import { readLiveTotals } from '../config/live-totals.ts';
import { familyNamed } from '@portcullis/resources';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { Problem } from '../http/problem.ts';
import { createWriterWorld, someActor } from '../resources/writer.test-support.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { findSnapshot } from './find-snapshots.ts';
import { freeHistory } from './free-history.ts';
import { scanSnapshot } from './record-images.ts';
import { removeSnapshots } from './remove-snapshots.ts';
import { rollBack } from './roll-back.ts';
import { naiveTotals, storedConfiguration } from './stored-configuration.test-support.ts';
import { takeSnapshot } from './take-snapshot.ts';

type Stored = Awaited<ReturnType<typeof storedConfiguration>>;
interface WriteStep {
  readonly kind: 'put' | 'remove';
  readonly family: FamilyName;
  readonly id: string;
  readonly choice: number;
}
type Step =
  | WriteStep
  | { readonly kind: 'take' | 'free' }
  | { readonly kind: 'drop' | 'roll_back'; readonly of: number; readonly isExact: boolean };
type FamilyName = (typeof families)[number];

const families = ['services', 'routes', 'consumers', 'consumer-groups'] as const;
const ids = ['a', 'b', 'c'] as const;

const write = fc.record({
  kind: fc.constantFrom('put' as const, 'put' as const, 'remove' as const),
  family: fc.constantFrom(...families),
  id: fc.constantFrom(...ids),
  choice: fc.nat(11),
});
const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: write },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('take' as const, 'take' as const, 'free' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('drop' as const, 'roll_back' as const),
        of: fc.nat(9),
        isExact: fc.boolean(),
      }),
    },
  ),
  { minLength: 40, maxLength: 60 },
);

/** Names are few, so that records often want the one that another has. */
function fieldsOf(family: FamilyName, choice: number): Record<string, unknown> {
  const name = `n${choice % 4}`;
  if (family === 'services') return { name, url: `http://${choice}.test` };
  if (family === 'routes') return { name, path: `/${choice}`, service_id: ids[choice % 3] };
  if (family === 'consumers') return { username: name, custom_id: String(choice) };
  return { name, consumers: ids.slice(0, choice % 4) };
}

/** On PostgreSQL a step takes several times as long, and the rules are the same. */
const runsOn = { sqlite: 16, postgres: 4 } as const;

const keyOf = ({ family, id }: { readonly family: string; readonly id: string }): string => `${family}/${id}`;

describeOnEachDatabase('random writes, snapshots and rollbacks beside a model that copies everything', (context) => {
  let runs = 0;

  it('agree in what snapshots hold, what rollbacks leave, and what is refused', async () => {
    const property = fc.asyncProperty(steps, async (sequence) => run(sequence, `model-${(runs += 1)}`));
    const outcome = await fc.check(property, { numRuns: runsOn[context.dialect] });
    expect(outcome.failed, fc.defaultReportMessage(outcome)).toBe(false);
  }, 180_000);

  async function run(sequence: readonly Step[], tenantId: string): Promise<void> {
    const database = context.database();
    const { read } = database;
    const world = createWriterWorld(database, {});
    const gatewayId = `${tenantId}-edge`;
    const gatewayOf = (family: FamilyName) => (['services', 'routes'].includes(family) ? gatewayId : null);
    const rollbackParts = { ...world.parts, ...world.writeParts };
    const copies = new Map<string, Stored>();
    const chosen = (of: number): string | undefined => [...copies.keys()][of % Math.max(1, copies.size)];
    const stored = () => storedConfiguration(read, tenantId);
    const request = { reason: 'manual', note: null, createdBy: 'test' } as const;

    const put = async ({ family: name, id, choice }: WriteStep): Promise<void> => {
      const family = familyNamed(name);
      await world.write(tenantId, async (session) => {
        const found = await world.store.get(session.transaction, tenantId, name, id);
        const fields = fieldsOf(name, choice);
        if (found) await world.writer.replace(session, family, found, fields);
        else await world.writer.create(session, family, { id, gatewayId: gatewayOf(name) }, fields);
      });
    };
    const remove = async ({ family: name, id }: WriteStep): Promise<void> => {
      await world.write(tenantId, async (session) => {
        const found = await world.store.get(session.transaction, tenantId, name, id);
        if (found) await world.writer.remove(session, familyNamed(name), found);
      });
    };
    const goBack = async (snapshotId: string, isExact: boolean): Promise<void> => {
      const [copy, before] = [copies.get(snapshotId), await stored()];
      if (!copy) return;
      const mode = isExact ? 'exact' : 'restore';
      const wanted = { tenantId, snapshotId, mode, note: null, actor: someActor } as const;
      const expected = isExact ? copy : union(copy, before);
      const dry = await orProblem(rollBack(rollbackParts, { ...wanted, dryRun: true }));
      expect(await stored()).toEqual(before);
      const done = await orProblem(rollBack(rollbackParts, { ...wanted, dryRun: false }));
      if (done instanceof Problem) {
        expect([dry instanceof Problem, expected]).toEqual([true, undefined]);
        expect(await stored()).toEqual(before);
        return;
      }
      expect(await stored()).toEqual(expected);
      if (done.snapshot) copies.set(done.snapshot.id, before);
      if (isExact) {
        const { config_hash: hash } = await findSnapshot(read, tenantId, snapshotId);
        expect((await readLiveTotals(read, tenantId)).hash).toBe(hash);
      }
    };
    const drop = async (id: string): Promise<void> => {
      await world.write(tenantId, async (session) =>
        removeSnapshots(session, [await findSnapshot(session.transaction, tenantId, id)]),
      );
      copies.delete(id);
    };
    const take = async (): Promise<void> => {
      const copy = await stored();
      const { id } = await world.write(tenantId, (session) => takeSnapshot(world.writeParts, session, request));
      copies.set(id, copy);
    };

    await world.write(tenantId, (session) =>
      world.writer.create(session, familyNamed('gateways'), { id: gatewayId, gatewayId: null }, { name: 'edge' }),
    );
    for (const family of families) await put({ kind: 'put', family, id: 'a', choice: 0 });
    await take();
    for (const step of sequence) {
      if ('family' in step) await orProblem(step.kind === 'put' ? put(step) : remove(step));
      else if (!('of' in step)) await (step.kind === 'take' ? take() : freeHistory(database));
      else {
        const id = chosen(step.of);
        if (id === undefined) continue;
        if (step.kind === 'roll_back') await goBack(id, step.isExact);
        else await drop(id);
      }
    }
    await freeHistory(database);
    expect(await readLiveTotals(read, tenantId)).toMatchObject(await naiveTotals(read, tenantId));
    for (const [id, copy] of copies) expect(await heldBy(tenantId, id)).toEqual(copy.records);
    expect(await isAllNeeded(tenantId)).toBe(true);
  }

  async function heldBy(tenantId: string, snapshotId: string): Promise<Stored['records']> {
    const { read } = context.database();
    const { revision } = await findSnapshot(read, tenantId, snapshotId);
    const held: StoredRecord[] = [];
    for (const family of ['gateways', ...families]) {
      for await (const page of scanSnapshot(read, { tenantId, revision }, family)) held.push(...page);
    }
    const rows = held.map((record) => ({
      family: record.family,
      id: record.id,
      gateway_id: record.gatewayId,
      name: record.name,
      enabled: record.enabled ? 1 : 0,
      body: JSON.stringify(record.body),
      secrets: null,
    }));
    return rows.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  }

  /** Whether a snapshot lies in the range of every earlier state that is kept. */
  async function isAllNeeded(tenantId: string): Promise<boolean> {
    const { read } = context.database();
    const of = (table: 'resource_history' | 'config_snapshots') =>
      read.selectFrom(table).where('tenant_id', '=', tenantId);
    const snapshots = await of('config_snapshots').select('config_snapshots.revision').execute();
    const states = await of('resource_history').select(['from_revision', 'until_revision']).execute();
    return states.every(({ from_revision: from, until_revision: until }) =>
      snapshots.some(({ revision }) => revision >= from && revision < until),
    );
  }
});

/** The copy, and what came later; nothing where two of them want one unique value, or point at what is not there. */
function union(copy: Stored, live: Stored): Stored | undefined {
  const then = new Set(copy.records.map(keyOf));
  const isLater = (row: { readonly family: string; readonly id: string }): boolean => !then.has(keyOf(row));
  const join = <Row extends { readonly family: string; readonly id: string }>(ours: Row[], theirs: Row[]): Row[] =>
    [...ours, ...theirs.filter(isLater)].toSorted((left, right) => (sortKey(left) < sortKey(right) ? -1 : 1));
  const keys = join(copy.keys, live.keys);
  const values = keys.map((row) => JSON.stringify([row.family, row.key_name, row.scope, row.value]));
  if (new Set(values).size < values.length) return undefined;
  return { records: join(copy.records, live.records), keys, references: join(copy.references, live.references) };
}

function sortKey(row: Readonly<Record<string, unknown>>): string {
  return ['family', 'id', 'key_name', 'field', 'target_id'].map((name) => JSON.stringify(row[name] ?? '')).join('\0');
}

async function orProblem<Result>(work: Promise<Result>): Promise<Result | Problem> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
