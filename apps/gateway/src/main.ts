#!/usr/bin/env node
import { pino } from 'pino';
import { startGateway, type Gateway } from './gateway.ts';
import { helpText } from './help.ts';
import { readSettings, type Settings } from './settings.ts';
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
  const logger = pino({ level: settings.logLevel, base: { app: 'gateway' } });
  let gateway: Gateway;
  try {
    gateway = await startGateway(settings, logger);
  } catch (error) {
    fail(listenSentence(error as NodeJS.ErrnoException & { port?: number }));
    process.exit(1);
  }
  logger.info({ proxy_port: gateway.proxyPort, status_port: gateway.statusPort }, 'listening');
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
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function listenSentence(error: NodeJS.ErrnoException & { port?: number }): string {
  const variables = 'PORTCULLIS_PROXY_PORT and PORTCULLIS_STATUS_PORT choose the ports';
  if (error.code === 'EADDRINUSE') return `Port ${error.port} is in use by another program; ${variables}.`;
  if (error.code === 'EACCES') return `Port ${error.port} may not be listened on by this user; ${variables}.`;
  return `The gateway could not start: ${error.message}`;
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
