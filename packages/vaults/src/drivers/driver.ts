import type { SecretContent } from '../secret-content.ts';

/** Reads secrets of one vault. */
export interface Driver {
  /**
   * @param secret path of plain names, as `parseReference` gives it
   * @throws VaultError, always as a rejection
   */
  read(secret: string): Promise<SecretContent>;
}
