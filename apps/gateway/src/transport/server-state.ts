import type { DeadlineWatch } from '@portcullis/egress';
import type { CallHandler } from './server-transport.ts';
import type { SlowBodyWatch } from './slow-body-watch.ts';

/** What the calls of one server share. */
export interface ServerState {
  readonly handler: CallHandler;
  /** Cuts clients whose bodies drip. */
  readonly slowSenders: SlowBodyWatch;
  /** Cuts clients that do not take their answers. */
  readonly slowReaders: SlowBodyWatch;
  /** Ends what is left of bodies after early answers. */
  readonly drains: DeadlineWatch;
  /** From now on every answer ends its connection. */
  stopping: boolean;
  /** Whatever is still open is cut. */
  destroyed: boolean;
}
