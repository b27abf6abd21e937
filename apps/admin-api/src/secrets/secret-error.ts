/**
 * `wrong_key`: sealed with a key that is not the one at hand. `tampered`: sealed with it, but the bytes or their place
 * changed since. `malformed`: no sealed value at all. `tenant_key_lost`: the tenant has no data key, but sealed values.
 */
export type SecretFailure = 'wrong_key' | 'tampered' | 'malformed' | 'tenant_key_lost';

/** A sealed value cannot be opened. Neither message nor error holds any of its bytes. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
  readonly code: `secret_${SecretFailure}`;

  constructor(failure: SecretFailure, message: string) {
    super(message);
    this.code = `secret_${failure}`;
  }
}
