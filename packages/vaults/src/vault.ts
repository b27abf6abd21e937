/*
 * A vault as configurations deliver it. The names are those of the wire. Source: `vaultConfigSchema` of `@portcullis/resources`.
 */

/** Seconds that a secret is kept where the vault's config does not say; the same as the default of `ttl_seconds`. */
export const VAULT_TTL_SECONDS_DEFAULT = 60;

/** Variables of the process that the operator's list allows to the tenant. */
export interface EnvVault {
  readonly prefix: string;
  readonly driver: 'env';
  /** `prefix` is put before the names of variables. */
  readonly config: { readonly prefix?: string | undefined };
}

/** Files below the tenant's folder. */
export interface FileVault {
  readonly prefix: string;
  readonly driver: 'file';
  readonly config: { readonly directory?: string | undefined };
}

/** Secrets of a HashiCorp Vault's key-value engine, or of a server that speaks as it does. */
export interface HashicorpVault {
  readonly prefix: string;
  readonly driver: 'hashicorp';
  readonly config: {
    readonly address: string;
    readonly token: string;
    readonly mount: string;
    readonly kv_version: 1 | 2;
    readonly namespace?: string | undefined;
    readonly ttl_seconds: number;
  };
}

/** See the head of this file; `prefix` is what references name the vault by, unique in the tenant. */
export type Vault = EnvVault | FileVault | HashicorpVault;

/** How long a vault's secrets are kept once they were read, in milliseconds. */
export function ttlMsOf(vault: Vault): number {
  return (vault.driver === 'hashicorp' ? vault.config.ttl_seconds : VAULT_TTL_SECONDS_DEFAULT) * 1000;
}
