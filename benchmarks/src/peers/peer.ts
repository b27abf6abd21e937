import type { Child } from '../machine/child.ts';
import type { Mode } from './terms.ts';

/** A peer that is running and ready to be loaded. */
export interface RunningPeer extends AsyncDisposable {
  readonly process: Child;
  readonly port: number;
  /** Requests that the peer itself has reported so far; absent where it reports none. */
  reported?(): number;
}

/** What a scenario measures: a way to start one proxy in one mode, as a process of its own. */
export interface Peer {
  readonly name: string;
  readonly mode: Mode;
  /** @param nodeOptions for peers that run on Node; others do not look at them */
  start(upstreamPort: number, nodeOptions?: readonly string[]): Promise<RunningPeer>;
}
