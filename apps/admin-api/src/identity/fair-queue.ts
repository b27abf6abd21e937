/** One kind of work of a queue. */
export interface Lane {
  /** At most this much of it at once. */
  readonly runningMax: number;
  /** And this much waiting, in all and for one party. */
  readonly waitingMax: number;
  readonly waitingPerPartyMax: number;
}

/** Too much work waits, of everybody or of this party. */
export class QueueFullError extends Error {}

/** Runs jobs. @throws QueueFullError; and what the job throws */
export type FairQueue<Name extends string> = <Result>(
  lane: Name,
  party: string,
  job: () => Promise<Result>,
) => Promise<Result>;

interface LaneState {
  readonly lane: Lane;
  running: number;
  waiting: number;
  /** Who waits, in the order of their turns, each with the own jobs in order. */
  readonly parties: Map<string, (() => void)[]>;
}

/**
 * A bounded queue that nobody can fill for others: each lane has a part of the places that no other lane can take, and within
 * a lane the parties (tenants, addresses) take turns.
 * @param runningMax of all lanes together
 * @param lanes those named first go first
 */
export function createFairQueue<Name extends string>(
  runningMax: number,
  lanes: Readonly<Record<Name, Lane>>,
): FairQueue<Name> {
  const states = new Map<string, LaneState>();
  for (const [name, lane] of Object.entries<Lane>(lanes)) {
    states.set(name, { lane, running: 0, waiting: 0, parties: new Map() });
  }
  let running = 0;
  const hasPlace = (state: LaneState): boolean => running < runningMax && state.running < state.lane.runningMax;
  const begin = (state: LaneState): void => {
    running += 1;
    state.running += 1;
  };
  const end = (state: LaneState): void => {
    running -= 1;
    state.running -= 1;
    for (const other of states.values()) {
      while (hasPlace(other) && other.waiting > 0) {
        begin(other);
        takeTurn(other)?.();
      }
    }
  };
  return async (name, party, job) => {
    const state = states.get(name);
    if (!state) throw new RangeError(`no lane ${name}`);
    if (hasPlace(state)) begin(state);
    else await turnOf(state, party);
    try {
      return await job();
    } finally {
      end(state);
    }
  };
}

/** Waits in line. The place is handed over with the turn, so that nobody slips in between. */
function turnOf(state: LaneState, party: string): Promise<void> {
  const { lane, parties } = state;
  const own = parties.get(party) ?? [];
  if (state.waiting >= lane.waitingMax || own.length >= lane.waitingPerPartyMax) throw new QueueFullError('queue full');
  const { promise, resolve } = Promise.withResolvers<void>();
  own.push(resolve);
  parties.set(party, own);
  state.waiting += 1;
  return promise;
}

/** The next job's start. Its party goes to the end of the line. */
function takeTurn(state: LaneState): (() => void) | undefined {
  for (const [party, jobs] of state.parties) {
    const next = jobs.shift();
    state.parties.delete(party);
    if (jobs.length > 0) state.parties.set(party, jobs);
    state.waiting -= 1;
    return next;
  }
  return undefined;
}
