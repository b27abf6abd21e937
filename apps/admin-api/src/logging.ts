import { type DestinationStream, pino } from 'pino';

/** Levels of the log, from most to least. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** One of {@link logLevels}. */
export type LogLevel = (typeof logLevels)[number];

/** What the service writes about itself: one JSON object a line. Facts are fields; the message is a fixed text. */
export interface Log {
  debug(facts: Readonly<Record<string, unknown>>, message: string): void;
  info(facts: Readonly<Record<string, unknown>>, message: string): void;
  warn(facts: Readonly<Record<string, unknown>>, message: string): void;
  error(facts: Readonly<Record<string, unknown>>, message: string): void;
}

/** Fields that are never written, wherever they stand in what is logged. */
const redacted = ['authorization', 'cookie', 'password', 'token', 'secret', 'access_token', 'refresh_token'];

/** A log as JSON lines on stdout, or on `destination`. Times are RFC 3339 in UTC. */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redacted.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}
