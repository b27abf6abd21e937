import type { Logger } from 'pino';
import type { AdmissionPorts } from './admission.ts';

/** The event loop of this thread, as an admission sees it; the log is told when overload begins and ends. */
export function eventLoop(logger: Logger, monotonicMs: () => number): AdmissionPorts {
  return {
    monotonicMs,
    idleMs: () => performance.eventLoopUtilization().idle,
    // The check phase comes after the phase in which sockets are read.
    afterTurn: (over) => void setImmediate(over),
    onOverload: (isOverloaded, refused) => {
      if (isOverloaded) logger.warn('more requests come than can be served: some are refused with 503');
      else logger.info({ refused }, 'all requests are served again');
    },
  };
}
