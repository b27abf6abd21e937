import type { DatabaseKind } from '../options.ts';
import { databasePlace } from '../places/database-place.ts';
import type { DatabasePlace } from '../places/database-place.ts';
import { startControlPlane } from './control-plane.ts';
import type { ControlPlane } from './control-plane.ts';

/** A control plane with its database. */
export interface World {
  readonly place: DatabasePlace;
  readonly plane: ControlPlane;
}

/** A login lasts 15 minutes, and a round on a busy machine may take some of them. */
const worldMsMax = 10 * 60_000;

/** One world for each kind of database, renewed from time to time. Disposing removes them. */
export class Worlds implements AsyncDisposable {
  readonly #adminApi: string;
  readonly #roundsPerDatabase: number;
  readonly #worlds = new Map<DatabaseKind, World & { rounds: number; readonly startedMs: number }>();

  /** @param roundsPerDatabase a database is thrown away after so many: looking it through takes longer the more it holds */
  constructor(adminApi: string, roundsPerDatabase: number) {
    this.#adminApi = adminApi;
    this.#roundsPerDatabase = roundsPerDatabase;
  }

  /** The world of a kind for one more round. */
  async of(kind: DatabaseKind): Promise<World> {
    const known = this.#worlds.get(kind);
    const isFresh = known !== undefined && performance.now() - known.startedMs < worldMsMax;
    if (isFresh && known.rounds < this.#roundsPerDatabase) {
      known.rounds += 1;
      return known;
    }
    if (known !== undefined) await remove(known);
    this.#worlds.delete(kind);
    const place = await databasePlace(kind);
    const plane = await startControlPlane(this.#adminApi, place.url);
    const world = { place, plane, rounds: 1, startedMs: performance.now() };
    this.#worlds.set(kind, world);
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#worlds.values()].map(remove));
  }
}

async function remove({ plane, place }: World): Promise<void> {
  await plane[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
}
