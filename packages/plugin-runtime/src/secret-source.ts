import type { Awaitable } from './decision.ts';

/*
 * Where secrets are that a config refers to instead of holding them. A host that has vaults passes a `SecretSource`; what it keeps,
 * for how long, and when a rotated secret shows is the host's.
 */

/** See the head of this file. */
export interface SecretSource {
  /**
   * The secret that a reference names. At once when it is kept in memory, else a promise.
   * @param reference `vault://prefix/secret[/key]`, or `env://NAME` for a variable of the process that the operator lets the tenant read.
   * Source: decisions, 19
   * @throws an error whose `code` is a {@link SecretFailure}, or rejects with one; see {@link secretFailure}
   */
  read(reference: string, signal?: AbortSignal): Awaitable<string>;
}

/**
 * Why a secret could not be read.
 * - `unknown_vault`: the tenant has no vault of that prefix, or the reference is none.
 * - `not_found`: the vault has no such secret or key.
 * - `denied`: the operator or the vault does not let this tenant read it.
 * - `unavailable`: the vault did not answer as it should, or in time.
 */
export type SecretFailure = (typeof secretFailures)[number];

const secretFailures = ['unknown_vault', 'not_found', 'denied', 'unavailable'] as const;

/** Why a secret could not be read, whatever class the host's errors are of; `undefined` for an error of something else. */
export function secretFailure(error: unknown): SecretFailure | undefined {
  return error instanceof Error && 'code' in error ? secretFailures.find((code) => code === error.code) : undefined;
}

/** A secret that could not be read, for hosts that have no class of their own. The message holds neither secret nor address. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
  readonly code: SecretFailure;

  constructor(code: SecretFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The source of hosts without vaults. */
export const noSecrets: SecretSource = {
  read: () => {
    throw new SecretError('unknown_vault', 'this host has no vaults: it passes no `secrets`');
  },
};
