/**
 * Why a secret could not be read. The words are those of `SecretFailure` in `@portcullis/plugin-runtime`, which says what each means.
 */
export type VaultFailure = 'unknown_vault' | 'not_found' | 'denied' | 'unavailable';

/** A secret that could not be read. The message holds no secret, no address and nothing that a vault answered: it may be logged. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
  readonly code: VaultFailure;
  /** The host did not let the vault be asked: the vault itself has said nothing. */
  readonly isOfHost: boolean;

  constructor(code: VaultFailure, message: string, { isOfHost = false }: { readonly isOfHost?: boolean } = {}) {
    super(message);
    this.code = code;
    this.isOfHost = isOfHost;
  }
}

/** Any error as one of ours. What it said is not repeated: a parser's message quotes what it read. */
export function asVaultError(error: unknown): VaultError {
  return error instanceof VaultError ? error : new VaultError('unavailable', 'the vault could not be read');
}
