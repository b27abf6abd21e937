import { isName } from '../reference.ts';
import { SECRET_BYTES_MAX, textContent, textOf } from '../secret-content.ts';
import { VaultError } from '../vault-error.ts';
import type { FileVault } from '../vault.ts';
import type { Driver } from './driver.ts';

/** Which file is read. */
export interface SecretFile {
  /** What nothing outside of may be read, wherever links lead. */
  readonly folder: string;
  /** Path below it: plain names with `/` between. */
  readonly path: string;
  /** More bytes than this fail. */
  readonly bytesMax: number;
}

/** What came of reading; every other failure rejects. */
export type SecretFileOutcome = Uint8Array | 'missing' | 'outside' | 'no_file' | 'forbidden' | 'too_large' | 'changed';

/** See `readSecretFile`. */
export type ReadSecretFile = (file: SecretFile) => Promise<SecretFileOutcome>;

/** What the driver reads from. */
export interface FilePorts {
  readonly readFile: ReadSecretFile;
  /** Folder of all tenants' folders; without one no tenant reads files. */
  readonly root: string | undefined;
  readonly tenantId: string;
}

/** Secrets in files below the tenant's folder. */
export function fileDriver({ config }: FileVault, { readFile, root, tenantId }: FilePorts): Driver {
  return {
    async read(secret) {
      if (root === undefined) throw new VaultError('denied', 'the operator lets no tenant read files');
      const path = config.directory === undefined ? secret : `${config.directory}/${secret}`;
      // The control plane has checked both; a path that leads elsewhere must not depend on that.
      if (![tenantId, ...path.split('/')].every(isName))
        throw new VaultError('denied', 'the path is none of plain names');
      const outcome = await readFile({ folder: `${root}/${tenantId}`, path, bytesMax: SECRET_BYTES_MAX });
      if (typeof outcome === 'string') throw failures[outcome]();
      return textContent(textOf(outcome));
    },
  };
}

const failures: Readonly<Record<Extract<SecretFileOutcome, string>, () => VaultError>> = {
  missing: () => new VaultError('not_found', 'there is no such file'),
  no_file: () => new VaultError('not_found', 'it is no regular file'),
  outside: () => new VaultError('denied', "a link leads out of the tenant's folder"),
  forbidden: () => new VaultError('denied', 'the system does not let the file be read'),
  changed: () => new VaultError('unavailable', 'the file was exchanged while it was read'),
  too_large: () => new VaultError('unavailable', `the file has more than ${SECRET_BYTES_MAX} bytes`),
};
