import { temporaryFolder } from '@portcullis/testkit';
import { auditKillRound } from '../audit-kills/audit-kill-round.ts';
import type { AuditKill } from '../audit-kills/audit-kill-round.ts';
import type { Campaign, Figures } from '../campaign.ts';
import { startControlPlane } from '../control-plane/control-plane.ts';
import type { World } from '../control-plane/worlds.ts';
import { optionHelp, parseOptions } from '../options.ts';
import { sqlitePlace } from '../places/sqlite-place.ts';
import { runRounds } from '../run-rounds.ts';
import { checkSimulation } from './check-simulation.ts';
import { buildDurableFiles, cutPower, durableEnvironment, takeForDurable } from './durable-files.ts';

const defaults = { rounds: 500, operations: [] };

/**
 * Cuts the power of a control plane on SQLite, as far as files see it: whatever was not synced is gone. Source: reliability, finding 1 and
 * goal 2. PostgreSQL's own durability is its server's matter.
 */
export const powerCuts: Campaign = {
  name: 'power-cuts',
  summary:
    'cuts the power at a random moment of mixed writes on SQLite (needs Linux and cc): what was answered is there, and the log is whole',
  options: optionHelp(defaults),
  run,
};

async function run(args: readonly string[]): Promise<Figures> {
  const options = { ...parseOptions(args, defaults), databases: ['sqlite'] as const };
  await using leftovers = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  leftovers.defer(() => folder.remove());
  const library = await buildDurableFiles(folder.path);
  await checkSimulation(library, folder);
  const cuts: AuditKill[] = [];
  let world: World | undefined;
  const rounds = await runRounds(powerCuts.name, options, async ({ index, random }) => {
    world ??= await startWorld(options.adminApi, library, leftovers);
    cuts.push(await auditKillRound(world, index, random));
  });
  const sum = (figure: (cut: AuditKill) => number): number => cuts.reduce((total, cut) => total + figure(cut), 0);
  return {
    seed: options.seed,
    rounds,
    cuts: cuts.length,
    answered_writes: sum(({ answered }) => answered),
    records: sum(({ records }) => records),
    unchained_at_cut: sum(({ unchained }) => unchained),
  };
}

/** A world in which whoever looks after a kill sees what a cut has left. */
async function startWorld(adminApi: string, library: string, leftovers: AsyncDisposableStack): Promise<World> {
  const place = leftovers.use(await sqlitePlace());
  const path = place.url.slice('sqlite:'.length);
  const folder = path.slice(0, path.lastIndexOf('/'));
  const environment = durableEnvironment(library, folder);
  const plane = leftovers.use(await startControlPlane(adminApi, place.url, environment));
  return {
    place: { ...place, settle: () => cutPower(path) },
    plane: {
      ...plane,
      // Those who looked have opened the file, which brings the log of writes into it.
      start: async () => {
        await takeForDurable(path);
        await plane.start();
      },
    },
  };
}
