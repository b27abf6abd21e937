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
  return createVaults({
    ...parts,
    env: (name) => process.env[name],
    readFile: readSecretFile,
    onFailure: ({ vault, code, message }) => log.warn({ vault, code }, `a secret cannot be read: ${message}`),
  });
}
