/** Options that every command takes. */
export interface GlobalOptions {
  readonly apiUrl?: string;
  readonly token?: string;
  readonly context?: string;
  readonly outputFormat: OutputFormat;
  readonly timeoutMs: number;
  /** Whether requests are told on standard error. */
  readonly verbose?: boolean;
  readonly allowVersionMismatch?: boolean;
}

/** Forms of the one document that a command prints. */
export const outputFormats = ['table', 'json', 'yaml'] as const;

/** See {@link outputFormats}. */
export type OutputFormat = (typeof outputFormats)[number];

/** Time limit of a request where nothing else is said. Source: spec, Limits, CLI HTTP timeout. */
export const defaultTimeoutMs = 30_000;

/** Longest `--timeout`, in seconds. */
const timeoutSecondsMax = 3600;

/** Milliseconds out of `--timeout`; `undefined` for a text that is no number of seconds above 0 and up to an hour. */
export function timeoutMsOf(text: string): number | undefined {
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return seconds > 0 && seconds <= timeoutSecondsMax ? seconds * 1000 : undefined;
}
