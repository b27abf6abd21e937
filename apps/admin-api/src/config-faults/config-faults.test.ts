import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { faultCases } from './fault-cases.test-support.ts';
import type { FaultCase } from './fault-cases.test-support.ts';
import { runFaultLoop } from './fault-loop.test-support.ts';
import { faultKinds } from './fault-plan.test-support.ts';
import { startFaultWorld } from './fault-world.test-support.ts';
import type { FaultWorld } from './fault-world.test-support.ts';

/** Set by the campaign `config-faults`, which lets every call of every write fail. */
const isCampaign = process.env['PORTCULLIS_TEST_FAULTS'] === 'every';

/** What a run of all tests looks at: every so many calls of some writes, each with one kind of fault. */
const slice: Readonly<Record<string, number>> = {
  'create routes': 3,
  'update certificates': 5,
  'delete consumers': 11,
  'create a snapshot': 4,
  'delete a snapshot': 3,
  'roll back (exact)': 67,
  sync: 53,
  'import in parts': 61,
};

const cases: readonly (FaultCase & { readonly every: number })[] = faultCases.flatMap((faultCase) => {
  const every = isCampaign ? 1 : slice[faultCase.name];
  return every === undefined ? [] : [{ ...faultCase, every }];
});

/** A case of the campaign goes through hundreds of calls. */
const timeoutMs = isCampaign ? 30 * 60_000 : 120_000;

describeOnEachDatabase('a call to the database that fails in the middle of a write', ({ dialect, database, url }) => {
  let world: FaultWorld;

  beforeAll(async () => {
    world = await startFaultWorld(url(), database());
  });
  afterAll(() => world.stop());

  const kinds = faultKinds[dialect];
  describe.each(cases.map((faultCase, index) => ({ ...faultCase, index })))('$name', (faultCase) => {
    it.each(isCampaign ? kinds : kinds.filter((_, index) => index === faultCase.index % kinds.length))(
      '%s: the state before or after, and again it succeeds',
      async (kind) => {
        const { every } = faultCase;
        const seen = await runFaultLoop(world, faultCase, { kind, from: 1, every, retryEvery: isCampaign ? 4 : 8 });
        expect(seen.points).toBeGreaterThan(0);
        if (isCampaign) console.log(`points: ${JSON.stringify({ dialect, name: faultCase.name, kind, ...seen })}`);
      },
      timeoutMs,
    );
  });
});
