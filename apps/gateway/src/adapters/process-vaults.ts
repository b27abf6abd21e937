import { opendir } from 'node:fs/promises';
import type { Outbound } from '@portcullis/plugin-runtime';
import { createVaults, readSecretFile, type Vaults } from '@portcullis/vaults';
import type { Logger } from 'pino';
import type { Settings } from '../settings.ts';
import type { System } from './system.ts';

/** What reading secrets needs of the process. */
export interface ProcessVaultsParts extends Pick<Settings, 'envAllow' | 'fileVaultDir'>, Pick<System, 'monotonicMs'> {
  readonly outbound: Outbound;
  readonly log: Pick<Logger, 'warn'>;
}

/** The vaults of this process: its variables, its files, and servers that the guarded way out reaches. */
export function createProcessVaults({ log, ...parts }: ProcessVaultsParts): Vaults {
  if (parts.fileVaultDir !== undefined) void tellOfMissing(parts.fileVaultDir, log);
  return createVaults({
    ...parts,
    env: (name) => process.env[name],
    readFile: readSecretFile,
    onFailure: ({ vault, secret, code, message }) =>
      log.warn({ vault, path: secret, code }, `a secret cannot be read: ${message}`),
    onRenewalRefused: ({ vault, status }) =>
      log.warn({ vault, status }, 'a vault does not renew its token: its secrets cannot be read any more when it ends'),
  });
}

/** A folder may be mounted later, so it is no mistake; one that is misspelt would look like secrets that tenants forgot. */
async function tellOfMissing(folder: string, log: ProcessVaultsParts['log']): Promise<void> {
  try {
    await (await opendir(folder)).close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    log.warn(
      { folder, code },
      'the folder of PORTCULLIS_FILE_VAULT_DIR cannot be opened: no file vault has a secret until it can be',
    );
  }
}
