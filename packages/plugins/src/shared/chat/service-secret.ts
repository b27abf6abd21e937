import type { Awaitable, SecretSource } from '@portcullis/plugin-runtime';

/** Gives a secret: at once when it is in memory. Throws or rejects when it cannot be had. */
export type SecretReader = (signal?: AbortSignal) => Awaitable<string | undefined>;

/** Reads a secret that a config holds, or names a variable of (`…_env`). Source: decisions, 19. */
export function secretReader(
  secrets: SecretSource,
  value: string | undefined,
  variable: string | undefined,
): SecretReader {
  if (variable === undefined) return () => value;
  return (signal) => secrets.read(`env://${variable}`, signal);
}
