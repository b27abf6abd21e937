/** Options that every command takes. */
export interface GlobalOptions {
  readonly apiUrl?: string;
  readonly token?: string;
  readonly context?: string;
  readonly outputFormat: OutputFormat;
  readonly timeoutMs: number;
  readonly allowVersionMismatch: boolean;
}

/** Forms of the one document that a command prints. */
export const outputFormats = ['table', 'json', 'yaml'] as const;

/** See {@link outputFormats}. */
export type OutputFormat = (typeof outputFormats)[number];

/** Longest `--timeout`, in seconds. */
const timeoutSecondsMax = 3600;

/** Milliseconds out of `--timeout`; `undefined` for a text that is no number of seconds above 0 and up to an hour. */
export function timeoutMsOf(text: string): number | undefined {
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return seconds > 0 && seconds <= timeoutSecondsMax ? seconds * 1000 : undefined;
}
