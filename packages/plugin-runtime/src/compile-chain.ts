import { requestResults, responseResults, type AdoptResponse } from './apply-result.ts';
import { StageRun, chainOf, type Chain, type ChainEntry } from './chain.ts';
import type { AnyHook } from './hook-call.ts';
import type { Stage, Trigger } from './plugin.ts';
import type { RunningInstance } from './running-instance.ts';
import type { ConsumerGuard } from './scope-matching.ts';
import { TRIGGER_STAGES } from './trigger-stages.ts';

/** An instance in its place within the collection or the inline chain. */
export interface PlacedInstance {
  readonly running: RunningInstance;
  readonly trigger: Trigger;
  readonly guard: ConsumerGuard | undefined;
}

/**
 * Lays out the stages: collection before inline on the request, inline before collection on response and error. Both parts
 * come in their own order, which is the same in all stages. Source: spec, Ordering rules 2 and 3.
 */
export function compileChain(
  collection: readonly PlacedInstance[],
  inline: readonly PlacedInstance[],
  adopt: AdoptResponse | undefined,
): Chain {
  const outward = [...inline, ...collection];
  const responses = responseResults(adopt);
  return chainOf(
    new StageRun('request', entriesOf('request', [...collection, ...inline]), requestResults(adopt)),
    new StageRun('response', entriesOf('response', outward), responses),
    new StageRun('error', entriesOf('error', outward), responses),
  );
}

function entriesOf(stage: 'request' | 'response' | 'error', placed: readonly PlacedInstance[]): readonly ChainEntry[] {
  return placed.flatMap(({ running, trigger, guard }) => {
    // A hook of one stage is only ever called with that stage's exchange, which the erased type no longer says.
    const hook = running.hooks[stage] as AnyHook | undefined;
    return hook === undefined || !covers(trigger, stage) ? [] : [{ instance: running, hook, guard }];
  });
}

function covers(trigger: Trigger, stage: Stage): boolean {
  return TRIGGER_STAGES[trigger].includes(stage);
}
