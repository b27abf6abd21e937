#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { readConfig, settingsHelp } from './config.ts';
import { createLog, type Log } from './logging.ts';
import { rotateSecrets } from './secrets/rotate-secrets.ts';
import { type RunningService, startService } from './start-service.ts';

const help = `Usage: portcullis-admin-api [rotate-secrets | --help | --version]

The Portcullis control plane: the administration API over SQLite or PostgreSQL.

  rotate-secrets  Seals everything again, also while the service runs: secrets under new data keys, and those under the
                  first key of PORTCULLIS_SECRET_KEYS. Takes most of a minute, and can be run again whenever it was cut short

${settingsHelp()}`;

/** A stop that takes longer is cut off. */
const stopMs = 10_000;

/** Codes of errors whose message is a whole sentence for the operator. */
const explained: ReadonlySet<string> = new Set([
  'listen_failed',
  'database_configuration',
  'database_unavailable',
  'administrator_disabled',
]);

await main(process.argv.slice(2));

async function main(options: readonly string[]): Promise<void> {
  const [option, ...rest] = options;
  const release = releaseVersion();
  if (rest.includes('--help') || option === '--help' || option === '-h') process.stdout.write(help);
  else if (rest.length > 0)
    fail([`Nothing may follow ${option === 'rotate-secrets' ? option : 'the option'}; try --help.`]);
  else if (option === '--version') process.stdout.write(`${release}\n`);
  else if (option === 'rotate-secrets') await rotate();
  else if (option !== undefined) fail([`Unknown option; try --help.`]);
  else await run(release);
}

async function run(release: string): Promise<void> {
  const result = readConfig(process.env);
  if (!result.ok) {
    fail(result.errors);
    return;
  }
  const log = createLog(result.config.logLevel);
  try {
    const surroundings = { log, release, nowMs: () => Date.now(), monotonicMs: () => performance.now() };
    const service = await startService(result.config, surroundings);
    stopOnSignals(service, log);
    log.info({ url: service.url, release, pid: process.pid }, 'listening');
    announce(service);
  } catch (error) {
    failStart(error, log);
  }
}

async function rotate(): Promise<void> {
  const result = readConfig(process.env);
  if (!result.ok) {
    fail(result.errors);
    return;
  }
  const log = createLog('silent');
  try {
    const { sentences, isDone } = await rotateSecrets(result.config, log);
    for (const sentence of sentences) process.stdout.write(`${sentence}\n`);
    if (!isDone) process.exitCode = 1;
  } catch (error) {
    failStart(error, log);
  }
}

/** Shows a made-up password once: the last word of one line, outside the log. */
function announce({ firstAdministrator }: RunningService): void {
  if (firstAdministrator?.generatedPassword === undefined) return;
  const { username, generatedPassword } = firstAdministrator;
  process.stdout.write(`First administrator ${username}, password shown this once: ${generatedPassword}\n`);
}

function stopOnSignals(service: RunningService, log: Log): void {
  let isStopping = false;
  const stop = (signal: string): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), stopMs).unref();
    service.stop().then(
      () => {
        log.info({}, 'stopped');
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function failStart(error: unknown, log: Log): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : '';
  if (explained.has(code)) {
    fail([`Cannot start: ${message}.`]);
    return;
  }
  if (code.startsWith('secret_')) {
    fail([`Cannot start: PORTCULLIS_SECRET_KEYS does not open this database (${message}).`]);
    return;
  }
  log.error({ err: error }, 'start failed');
  fail(['Cannot start: something is broken; the log line before this one has the details.']);
}

function fail(sentences: readonly string[]): void {
  for (const sentence of sentences) process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

function releaseVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}
