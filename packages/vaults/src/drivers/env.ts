import { textContent, type SecretContent } from '../secret-content.ts';
import { VaultError } from '../vault-error.ts';
import type { EnvVault } from '../vault.ts';
import type { Driver } from './driver.ts';

/** What the driver reads from. */
export interface EnvPorts {
  /** A variable of the process. */
  readonly env: (name: string) => string | undefined;
  /** Names that the operator lets this tenant read; see `parseEnvAllow`. */
  readonly allowed: ReadonlySet<string>;
}

/** Secrets in variables. */
export function envDriver({ config }: EnvVault, ports: EnvPorts): Driver {
  return { read: async (secret) => variableContent(`${config.prefix ?? ''}${secret}`, ports) };
}

/**
 * What a variable holds. A name that is not listed is refused whether it is set or not, so that nobody can find out.
 * @throws VaultError `denied` or `not_found`
 */
export function variableContent(name: string, { env, allowed }: EnvPorts): SecretContent {
  if (!allowed.has(name)) throw new VaultError('denied', 'the operator does not let this tenant read that variable');
  const value = env(name);
  if (value === undefined) throw new VaultError('not_found', 'the variable is not set');
  return textContent(value);
}
