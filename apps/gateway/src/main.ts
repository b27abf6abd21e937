#!/usr/bin/env node
import cluster from 'node:cluster';
import { pino, type Logger } from 'pino';
import { startGateway, type Gateway } from './gateway.ts';
import { helpText } from './help.ts';
import { readSettings, type Settings } from './settings.ts';
import { runNode, slotVariable } from './workers/run-node.ts';
import { runWorker, type FirstProcess } from './workers/worker-process.ts';
import type { ToWorker } from './workers/worker-messages.ts';
import { gatewayVersion } from './adapters/version.ts';

await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(helpText);
    return;
  }
  if (args.includes('--version')) {
    process.stdout.write(`${gatewayVersion()}\n`);
    return;
  }
  const outcome = readSettings(process.env);
  if (args.length > 0 || !outcome.ok) {
    const mistakes = outcome.ok ? ['The gateway takes no arguments but --help and --version.'] : outcome.mistakes;
    fail(mistakes.join('\n'));
    return;
  }
  await run(outcome.settings);
}

async function run(settings: Settings): Promise<void> {
  const slot = Number(process.env[slotVariable] ?? 0);
  const base = cluster.isWorker ? { app: 'gateway', worker: slot } : { app: 'gateway' };
  const logger = pino({ level: settings.logLevel, base });
  if (cluster.isWorker) {
    await runAsWorker(settings, logger, slot);
    return;
  }
  let gateway: Pick<Gateway, 'proxyPort' | 'proxyTlsPort' | 'statusPort' | 'reopenLogs' | 'stop'>;
  try {
    gateway = settings.workers > 1 ? await runNode(settings, logger) : await startGateway(settings, logger);
  } catch (error) {
    fail(listenSentence(error as NodeJS.ErrnoException & { port?: number }));
    process.exit(1);
  }
  if (settings.workers > 1) {
    logger.warn({ workers: settings.workers }, 'limits with the policy local count for each worker by itself');
  }
  const { proxyPort, proxyTlsPort, statusPort } = gateway;
  logger.info({ proxy_port: proxyPort, proxy_tls_port: proxyTlsPort, status_port: statusPort }, 'listening');
  const stop = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, 'stopping');
    gateway.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ error: String(error) }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGHUP', () => void gateway.reopenLogs());
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** A worker leaves signals to the first process, which tells it what to do; when that is gone, it ends. */
async function runAsWorker(settings: Settings, logger: Logger, slot: number): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const first: FirstProcess = {
    send: (message) => void process.send?.(message),
    onMessage: (take) => void process.on('message', (message: ToWorker) => take(message)),
    exit: (code) => process.exit(code),
  };
  await runWorker(settings, logger, slot, first, (error) =>
    listenSentence(error as NodeJS.ErrnoException & { port?: number }),
  );
}

function listenSentence(error: NodeJS.ErrnoException & { port?: number }): string {
  if (error.syscall === 'open') return `The access log ${error.path} cannot be opened: ${error.code}.`;
  const variables =
    'PORTCULLIS_PROXY_PORT, PORTCULLIS_PROXY_TLS_PORT, PORTCULLIS_STREAM_PORTS and PORTCULLIS_STATUS_PORT choose the ports';
  if (error.code === 'EADDRINUSE') return `Port ${error.port} is in use by another program; ${variables}.`;
  if (error.code === 'EACCES') return `Port ${error.port} may not be listened on by this user; ${variables}.`;
  // A worker's sentence is whole already.
  return error.code === undefined ? error.message : `The gateway could not start: ${error.message}`;
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
