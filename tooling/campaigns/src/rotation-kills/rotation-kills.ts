import { setTimeout as pause } from 'node:timers/promises';
import { CampaignFailure, type Campaign, type Figures } from '../campaign.ts';
import { optionHelp, parseOptions, type DatabaseKind } from '../options.ts';
import { runRounds } from '../run-rounds.ts';
import { SealedWorld } from './sealed-world.ts';

const defaults = { rounds: 20, operations: [] };

/** A kill comes at a random moment within this time: the command takes most of a minute where it is left alone. */
const killWithinMs = 55_000;

/** Between two writes beside the command: it is met at every step, and the tables stay small. */
const writeEveryMs = 200;

/** Kills `rotate-secrets` beside a service that writes. Source: security, Secrets at rest. */
export const rotationKills: Campaign = {
  name: 'rotation-kills',
  summary:
    'SIGKILL of rotate-secrets at a random moment beside a service that writes: every secret can be opened, and the command ends the work when it is run again',
  options: optionHelp(defaults),
  run,
};

async function run(args: readonly string[]): Promise<Figures> {
  const options = parseOptions(args, defaults);
  const worlds = new Map<DatabaseKind, SealedWorld>();
  await using stack = new AsyncDisposableStack();
  let [killed, secrets] = [0, 0];
  const rounds = await runRounds(rotationKills.name, options, async ({ database, random }) => {
    const world = worlds.get(database) ?? stack.use(await SealedWorld.make(options.adminApi, database));
    worlds.set(database, world);
    const rotation = await world.rotate();
    const isOver = rotation.exited.then(() => true);
    const untilMs = performance.now() + random.next() * killWithinMs;
    while (rotation.running() && performance.now() < untilMs) {
      // One after the other, as long as the command runs.
      // oxlint-disable-next-line no-await-in-loop -- see above
      await world.writeSecret();
      // oxlint-disable-next-line no-await-in-loop
      await Promise.race([pause(writeEveryMs), isOver]);
    }
    if (rotation.running()) killed += 1;
    await rotation.kill('SIGKILL');
    await world.checkSecrets();
  });
  for (const [database, world] of worlds) {
    // oxlint-disable-next-line no-await-in-loop -- each has the machine for itself
    secrets += await finish(world, database);
  }
  return { seed: options.seed, rounds, killed, secrets };
}

/** Runs the command to its end, and starts the service without the old key. @returns how many secrets it then opens */
async function finish(world: SealedWorld, database: DatabaseKind): Promise<number> {
  const rotation = await world.rotate();
  const { code } = await rotation.exited;
  if (code !== 0) {
    throw new CampaignFailure(
      `on ${database} the command ended with ${code}: ${rotation.stderr()}`,
      rotationKills.name,
    );
  }
  await world.dropOldKey();
  return world.checkSecrets();
}
