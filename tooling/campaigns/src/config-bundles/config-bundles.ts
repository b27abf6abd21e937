import * as fc from 'fast-check';
import type { Campaign, Figures } from '../campaign.ts';
import { Worlds } from '../control-plane/worlds.ts';
import { optionHelp, parseOptions } from '../options.ts';
import { runRounds } from '../run-rounds.ts';
import { checkBundle } from './bundle-round.ts';
import { randomBundle } from './random-bundle.ts';

const defaults = { rounds: 10_000, operations: [] };

const roundsPerDatabase = 1000;

/** Random bundles through every configuration endpoint. Source: reliability, goal 14. */
export const configBundles: Campaign = {
  name: 'config-bundles',
  summary: 'random bundles: sync, export, import elsewhere and back, other orders, rollback: nothing is lost or added',
  options: optionHelp(defaults),
  run,
};

async function run(args: readonly string[]): Promise<Figures> {
  const options = parseOptions(args, defaults);
  const seen = { records: 0, withSecrets: 0 };
  let tenants = 0;
  await using worlds = new Worlds(options.adminApi, roundsPerDatabase);
  const rounds = await runRounds(configBundles.name, options, async ({ database, seed }) => {
    const { plane } = await worlds.of(database);
    // Not shrunk: each try is a dozen requests, and a bundle is small enough to be read.
    const [g] = fc.sample(fc.gen(), { seed, numRuns: 1 });
    if (g === undefined) throw new RangeError('nothing was drawn');
    const draw = randomBundle(g);
    tenants += 1;
    const [own, other] = [`own-${tenants}`, `other-${tenants}`];
    for (const tenant of [own, other]) await plane.addTenant(tenant);
    try {
      await checkBundle(plane.client(), { own, other }, draw);
    } catch (error) {
      throw new Error(
        `${error instanceof Error ? error.message : String(error)}\nof the bundle ${JSON.stringify(draw.bundle)}`,
        { cause: error },
      );
    }
    seen.records += Object.values(draw.bundle).reduce((sum, records) => sum + records.length, 0);
    seen.withSecrets += draw.hasSecrets ? 1 : 0;
  });
  return { seed: options.seed, rounds, records: seen.records, bundles_with_secrets: seen.withSecrets };
}
