import { setTimeout as pause } from 'node:timers/promises';
import { readComparableRows, readTenantRows, rowDifferences } from '@portcullis/testkit';
import type { World } from '../control-plane/worlds.ts';
import { randomOf } from '../random.ts';
import type { Random } from '../random.ts';
import type { Command, OperationKind } from './operations.ts';

/** What one kill left. */
export interface Kill {
  readonly operation: string;
  /** Which state was found after the kill. */
  readonly state: 'old' | 'new';
  /** Whether the command was answered before the kill; then its state has to be there. */
  readonly answered: boolean;
}

/** Records of the bundles; the larger, the longer the command takes. */
const sizes = [60, 150, 300, 1000] as const;

/** A command that left the old state is interrupted again, so often at most. */
const killsMax = 4;

/** The kill comes at a random part of the time that the command takes undisturbed, or a little after. */
const latestKill = 1.15;

/**
 * One or more kills. Two tenants get the same commands: nobody disturbs `calm`, and the process is killed while it works for `hit`.
 * @throws Error when `hit` is found in a state between the two, or does not become like `calm`
 */
export async function killRound(
  { place, plane }: World,
  kind: OperationKind,
  index: number,
  random: Random,
): Promise<readonly Kill[]> {
  // Of one length: what counts characters counts the same for both.
  const [calm, hit] = [`calm-${index}`, `hits-${index}`];
  const size = random.pick(sizes);
  const draws = random.below(2 ** 31);
  for (const tenant of [calm, hit]) await plane.addTenant(tenant);
  const prepared = (tenant: string): Promise<Command> => kind.prepare(plane.client(), tenant, size, randomOf(draws));
  const [calmCommand, command] = [await prepared(calm), await prepared(hit)];

  const startMs = performance.now();
  await calmCommand.give(plane.client());
  const calmMs = performance.now() - startMs;
  const before = await readTenantRows(place, hit);

  const about = `${kind.name} of ${size} records`;
  const kills: Kill[] = [];
  let state: Kill['state'] = 'old';
  while (state === 'old' && kills.length < killsMax) {
    const answered = await killWhile(() => command.give(plane.client()), random.next() * latestKill * calmMs);
    state = rowDifferences(before, await readTenantRows(place, hit)).length === 0 ? 'old' : 'new';
    check(`${about}: the database is damaged`, await place.damage());
    if (answered && state === 'old') throw new Error(`${about}: an answered write is lost`);
    if (state === 'new') await compare(`${about}: neither the old state nor the new one`);
    kills.push({ operation: kind.name, state, answered });
    await plane.start();
  }

  if (state === 'old') await command.give(plane.client());
  await compare(`${about}: given again after the kill, another outcome than undisturbed`);
  await calmCommand.give(plane.client());
  await command.give(plane.client());
  await compare(`${about}: given once more, another outcome than undisturbed`);
  const diff = await plane.client().expect('POST', '/api/v1/admin/config/diff', 200, command.outcome);
  if (diff.in_sync !== true) throw new Error(`${kind.name}: not in sync: ${JSON.stringify(diff).slice(0, 2000)}`);
  return kills;

  /** Gives a command and kills the process meanwhile. @returns whether it was answered before */
  async function killWhile(give: () => Promise<void>, afterMs: number): Promise<boolean> {
    let isAnswered = false;
    const given = give().then(
      () => void (isAnswered = true),
      () => undefined,
    );
    await pause(afterMs);
    const wasAnswered = isAnswered;
    await plane.kill();
    await given;
    await place.settle();
    return wasAnswered;
  }

  async function compare(what: string): Promise<void> {
    const [wanted, found] = [await readComparableRows(place, calm), await readComparableRows(place, hit)];
    check(what, rowDifferences(wanted, found));
  }
}

/** @throws Error when there is anything to say */
function check(what: string, found: readonly string[]): void {
  if (found.length > 0) throw new Error(`${what}\n  ${found.join('\n  ')}`);
}
