import { CampaignFailure } from './campaign.ts';
import type { CampaignOptions, DatabaseKind } from './options.ts';
import { randomOf, roundSeed } from './random.ts';
import type { Random } from './random.ts';

/** One round: what it is, and what decides it. */
export interface Round {
  readonly index: number;
  readonly database: DatabaseKind;
  readonly seed: number;
  readonly random: Random;
}

const postgresVariable = 'PORTCULLIS_TEST_POSTGRES_URL';
const millisecondsPerMinute = 60_000;
/** How often a line says how far it is. */
const progressEveryMs = 10_000;

/**
 * Runs rounds one after the other, in turn on the databases that can be reached, until all are done or the time is over.
 * @returns how many ran on which database
 * @throws CampaignFailure with the options that run the failed round again
 */
export async function runRounds(
  name: string,
  options: CampaignOptions,
  runRound: (round: Round) => Promise<void>,
): Promise<Record<DatabaseKind, number>> {
  const { seed, first, rounds } = options;
  const databases = options.databases.filter(
    (kind) => kind === 'sqlite' || process.env[postgresVariable] !== undefined,
  );
  if (databases.length < options.databases.length) console.error(`postgres: skipped, ${postgresVariable} is not set`);
  if (databases.length === 0) throw new CampaignFailure('there is no database to run on', name);
  const deadlineMs = performance.now() + options.minutes * millisecondsPerMinute;
  const done = { sqlite: 0, postgres: 0 };
  let saidMs = performance.now();
  for (let index = first; index < first + rounds && performance.now() < deadlineMs; index += 1) {
    const database = databases[index % databases.length] ?? 'sqlite';
    const own = roundSeed(seed, index);
    try {
      await runRound({ index, database, seed: own, random: randomOf(own) });
    } catch (error) {
      // What is drawn depends on what there is to draw from.
      const drawnFrom = options.operations.length === 0 ? '' : ` --operations ${options.operations.join(',')}`;
      const repeat = `${name} --seed ${seed} --first ${index} --rounds 1 --databases ${database}${drawnFrom}`;
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      throw new CampaignFailure(`round ${index} on ${database}: ${message}`, repeat, { cause: error });
    }
    done[database] += 1;
    if (performance.now() - saidMs > progressEveryMs) {
      saidMs = performance.now();
      console.error(`${name}: ${index + 1 - first} of ${rounds} rounds`);
    }
  }
  return done;
}
