import type { Logger } from 'pino';
import { startGateway, type Gateway } from '../gateway.ts';
import type { Settings } from '../settings.ts';
import type { Metrics } from '../status/metrics.ts';
import { answerStatus, jsonAnswer, type StatusPages } from '../status/status-pages.ts';
import { RelayedControlPlane } from './relayed-control-plane.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** The first process as a worker sees it. */
export interface FirstProcess {
  send(message: FromWorker): void;
  onMessage(take: (message: ToWorker) => void): void;
  /** Ends this process. */
  exit(code: number): void;
}

/**
 * Runs one worker of several: a whole gateway that shares its port, talks with the control plane through the first process,
 * and ends when that says so.
 * @param slot from 1; the first one writes the node's cache
 * @param sentenceOf says why a gateway could not start
 */
export async function runWorker(
  settings: Settings,
  logger: Logger,
  slot: number,
  first: FirstProcess,
  sentenceOf: (error: unknown) => string,
): Promise<void> {
  const link = new RelayedControlPlane((message) => first.send(message));
  let gateway: Gateway | undefined;
  let shown: { readonly pages: StatusPages; readonly metrics: Metrics } | undefined;
  const stop = async (): Promise<void> => {
    try {
      await gateway?.stop();
      first.exit(0);
    } catch (error) {
      logger.error({ error: String(error) }, 'could not stop cleanly');
      first.exit(1);
    }
  };
  first.onMessage((message) => {
    link.take(message);
    if (message.kind === 'stop') void stop();
    else if (message.kind === 'ping') first.send({ kind: 'pong' });
    else if (message.kind === 'reopen') void gateway?.reopenLogs();
    else if (message.kind === 'page') void answerPage(message);
    else if (message.kind === 'metrics') void listMetrics(message.id);
  });
  const answerPage = async ({ id, method, target }: Extract<ToWorker, { kind: 'page' }>): Promise<void> => {
    const answer = shown && (await answerStatus(shown.pages, method, target).catch(() => undefined));
    first.send({ kind: 'page', id, answer: answer ?? jsonAnswer(503, { status: 'not_ready' }) });
  };
  const listMetrics = async (id: number): Promise<void> => {
    first.send({ kind: 'metrics', id, metrics: (await shown?.metrics.list().catch(() => [])) ?? [] });
  };
  try {
    gateway = await startGateway(settings, logger, {
      worker: {
        link,
        writesCache: slot === 1,
        show: (pages, metrics) => {
          shown = { pages, metrics };
          return { port: 0, close: () => undefined };
        },
      },
    });
  } catch (error) {
    first.send({ kind: 'failed', sentence: sentenceOf(error) });
    return;
  }
  const { proxyPort, proxyTlsPort } = gateway;
  first.send({ kind: 'listening', ports: { proxyPort, proxyTlsPort } });
}
