import { answererResults, limitResults, requestResults, responseResults, type AdoptResponse } from './apply-result.ts';
import { ChainEntry, type AnyHook, type ApplyResult } from './chain-entry.ts';
import { placesOf } from './chain-place.ts';
import { chainOf, type Chain } from './chain.ts';
import type { HookSubject } from './hook-subject.ts';
import type { Stage, Trigger } from './plugin.ts';
import type { RunningInstance } from './running-instance.ts';
import type { ConsumerGuard } from './scope-matching.ts';
import { StageRun } from './stage-run.ts';
import { StreamRun, streamResults } from './stream-run.ts';
import { TcpRun, tcpResults } from './tcp-run.ts';
import { TRIGGER_STAGES } from './trigger-stages.ts';

/** An instance in its place within the collection or the inline chain. */
export interface PlacedInstance {
  readonly running: RunningInstance;
  readonly trigger: Trigger;
  readonly guard: ConsumerGuard | undefined;
}

/**
 * Lays out the stages: collection before inline on the way to the upstream (request, bytes from a client), inline before
 * collection on the way back (response, its stream, error, bytes to a client). Both parts come in their own order, which is
 * the same in all stages. Source: spec, Ordering rules 2 and 3; ADR 0015.
 */
export function compileChain(
  collection: readonly PlacedInstance[],
  inline: readonly PlacedInstance[],
  adopt: AdoptResponse | undefined,
): Chain {
  const inward = [...collection, ...inline];
  const outward = [...inline, ...collection];
  const requests = requestResults(adopt);
  const limits = limitResults(requests);
  const requestsOf = (running: RunningInstance) =>
    answererResults(running.plugin.category === 'rate_limit' ? limits : requests, running);
  const responses = responseResults(adopt);
  const responsesOf = () => responses;
  // Nobody is identified on a connection: instances for consumers never run there.
  const forAnyone = ({ guard }: PlacedInstance): boolean => guard === undefined;
  const [tcpInward, tcpOutward] = [inward.filter(forAnyone), outward.filter(forAnyone)];
  return chainOf({
    request: new StageRun(entriesOf('request', inward, requestsOf), true),
    response: new StageRun(entriesOf('response', outward, responsesOf), false),
    error: new StageRun(entriesOf('error', outward, responsesOf, MAY_NOT_FAIL), false),
    stream: new StreamRun(entriesOf('stream', outward, () => streamResults)),
    tcp: new TcpRun(
      entriesOf('tcp', tcpInward, () => tcpResults),
      entriesOf('tcp', tcpOutward, () => tcpResults),
      entriesOf('tcp', tcpOutward, () => tcpResults, MAY_NOT_FAIL),
    ),
  });
}

/** For stages of what has failed or ended already: nothing is refused there. */
const MAY_NOT_FAIL = false;

function entriesOf<Subject extends HookSubject, Applied>(
  stage: Stage,
  placed: readonly PlacedInstance[],
  applyOf: (running: RunningInstance) => ApplyResult<Subject, Applied>,
  mayFail = true,
): readonly ChainEntry<Subject, Applied>[] {
  const taking = placed.flatMap(({ running, trigger, guard }) => {
    // A hook of one stage is only ever called with what that stage is about, which the erased type no longer says.
    const hook = running.hooks[stage] as AnyHook | undefined;
    if (hook === undefined || !TRIGGER_STAGES[trigger].includes(stage)) return [];
    return [{ running, guard, hook }];
  });
  const places = stage === 'request' ? placesOf(taking.map(({ running }) => running.plugin)) : [];
  return taking.map(({ running, guard, hook }, at) => {
    return new ChainEntry(running, stage, hook, guard, applyOf(running), mayFail, places[at]);
  });
}
