import type { Campaign, Figures } from '../campaign.ts';
import { Worlds } from '../control-plane/worlds.ts';
import { optionHelp, parseOptions } from '../options.ts';
import { runRounds } from '../run-rounds.ts';
import { killRound } from './kill-round.ts';
import type { Kill } from './kill-round.ts';
import { operationKinds } from './operations.ts';

/** At least as many kills: a round has one, and one that leaves the old state is followed by another. */
const defaults = { rounds: 200, operations: operationKinds.map(({ name }) => name) };

const roundsPerDatabase = 20;

/** Kills the control plane while it applies configuration. Source: reliability, goals 3 and 14. */
export const configKills: Campaign = {
  name: 'config-kills',
  summary: 'SIGKILL at a random point of sync, import and rollback: the old state or the new one, and again converges',
  options: optionHelp(defaults),
  run,
};

async function run(args: readonly string[]): Promise<Figures> {
  const options = parseOptions(args, defaults);
  const kinds = operationKinds.filter(({ name }) => options.operations.includes(name));
  const kills: Kill[] = [];
  await using worlds = new Worlds(options.adminApi, roundsPerDatabase);
  const rounds = await runRounds(configKills.name, options, async ({ index, database, random }) => {
    const world = await worlds.of(database);
    kills.push(...(await killRound(world, random.pick(kinds), index, random)));
  });
  const count = (seen: (kill: Kill) => boolean): number => kills.filter(seen).length;
  return {
    seed: options.seed,
    rounds,
    kills: kills.length,
    old_state: count(({ state }) => state === 'old'),
    new_state: count(({ state }) => state === 'new'),
    answered_before_kill: count(({ answered }) => answered),
    operations: Object.fromEntries(kinds.map(({ name }) => [name, count(({ operation }) => operation === name)])),
  };
}
