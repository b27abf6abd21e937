import { readComparableRows, readTenantRows, rowDifferences } from '@portcullis/testkit';
import type { TenantRows } from '@portcullis/testkit';
import type { Answer } from '../testing/test-service.test-support.ts';
import type { FaultCase } from './fault-cases.test-support.ts';
import type { FaultKind } from './fault-plan.test-support.ts';
import type { FaultWorld } from './fault-world.test-support.ts';

/** Which calls of a write are made to fail. */
export interface FaultLoopOptions {
  readonly kind: FaultKind;
  /** The first call that fails, from 1 on. */
  readonly from: number;
  /** Every so many of the following calls. */
  readonly every: number;
  /** After so many points that left the old state the write is tried again undisturbed. */
  readonly retryEvery: number;
}

/** What a loop went through. */
export interface FaultLoopResult {
  /** Calls that failed. */
  readonly points: number;
  /** How many of them came after the commit. */
  readonly afterCommit: number;
}

/** A write on a tenant of its own, ready to be disturbed. */
interface Attempt {
  readonly tenantId: string;
  readonly before: TenantRows;
  readonly write: () => Promise<Answer>;
}

const callsMax = 5_000;

/**
 * Lets one call after the other of a write fail, until the write gets through without a fault.
 * @throws Error when a fault leaves a state that is neither the one before nor the one after, or when trying again does not
 * lead to the state after
 */
export async function runFaultLoop(
  world: FaultWorld,
  faultCase: FaultCase,
  { kind, from, every, retryEvery }: FaultLoopOptions,
): Promise<FaultLoopResult> {
  const wanted = await undisturbed(world, faultCase);
  let [points, afterCommit, untried] = [0, 0, 0];
  let attempt = await prepare(world, faultCase);
  for (let at = from; at < callsMax; at += every) {
    world.plan.arm(at, kind);
    const answer = await attempt.write();
    const call = world.plan.disarm();
    const about = `${faultCase.name}, ${kind} at call ${at} (${call ?? 'none'}), answered ${answer.status}`;
    if (call === undefined) {
      if (answer.status >= 300) throw new Error(`${about}: ${JSON.stringify(answer.body)}`);
      await expectState(world, attempt.tenantId, wanted, `${about}: the write got through`);
      return { points, afterCommit };
    }
    points += 1;
    const isOld = rowDifferences(attempt.before, await readTenantRows(world.rows, attempt.tenantId)).length === 0;
    if (isOld) {
      if (answer.status < 500) throw new Error(`${about}: ${JSON.stringify(answer.body)}, but nothing is written`);
      untried += 1;
      if (untried < retryEvery) continue;
      const retried = await attempt.write();
      if (retried.status >= 300) throw new Error(`${about}; tried again: ${JSON.stringify(retried.body)}`);
    } else {
      afterCommit += 1;
      await expectState(world, attempt.tenantId, wanted, `${about}: neither the state before nor the one after`);
      const retried = await attempt.write();
      if (retried.status >= 500) throw new Error(`${about}; tried again: ${JSON.stringify(retried.body)}`);
    }
    await expectState(world, attempt.tenantId, wanted, `${about}; tried again`);
    untried = 0;
    attempt = await prepare(world, faultCase);
  }
  throw new Error(`${faultCase.name} makes more than ${callsMax} calls`);
}

/** The rows that the write leaves when nothing fails. */
async function undisturbed(world: FaultWorld, faultCase: FaultCase): Promise<TenantRows> {
  const { tenantId, write } = await prepare(world, faultCase);
  const answer = await write();
  if (answer.status >= 300) throw new Error(`${faultCase.name}, undisturbed: ${JSON.stringify(answer.body)}`);
  return readComparableRows(world.rows, tenantId);
}

async function prepare(world: FaultWorld, faultCase: FaultCase): Promise<Attempt> {
  const tenantId = await world.addTenant();
  const write = await faultCase.prepare(world, tenantId);
  return { tenantId, write, before: await readTenantRows(world.rows, tenantId) };
}

async function expectState(world: FaultWorld, tenantId: string, wanted: TenantRows, about: string): Promise<void> {
  const found = rowDifferences(wanted, await readComparableRows(world.rows, tenantId));
  if (found.length > 0) throw new Error(`${about}\n  ${found.join('\n  ')}`);
}
