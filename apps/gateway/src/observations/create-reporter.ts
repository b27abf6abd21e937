import type { Logger } from 'pino';
import type { System } from '../adapters/system.ts';
import type { ControlPlaneLink } from '../control-plane/control-plane-client.ts';
import { Reporter, type ReporterPorts } from './reporter.ts';

/** How long one batch of observations may take. */
const reportTimeoutMs = 30_000;

/** Hands what is observed over to the control plane, and notes in the log what that one does not take. */
export function createReporter(
  observed: Pick<ReporterPorts, 'counters' | 'records'>,
  client: Pick<ControlPlaneLink, 'post'>,
  { random, newRandomId }: Pick<System, 'random' | 'newRandomId'>,
  logger: Logger,
): Reporter {
  return new Reporter({
    ...observed,
    post: (batch, signal) =>
      client.post('observations', batch, AbortSignal.any([signal, AbortSignal.timeout(reportTimeoutMs)])),
    random,
    bootId: newRandomId(),
    onRefused: ({ sequence, records: sent }) => {
      const next = sent.length > 0 ? 'sent again without raw records' : 'dropped';
      logger.debug({ sequence, records: sent.length }, `the control plane refused observations; ${next}`);
    },
  });
}
