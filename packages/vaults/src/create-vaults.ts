import { LRUCache } from 'lru-cache';
import type { Driver } from './drivers/driver.ts';
import { envDriver, variableContent } from './drivers/env.ts';
import { boundedFileReads } from './drivers/file-reads.ts';
import { fileDriver, type ReadSecretFile } from './drivers/file.ts';
import { hashicorpDriver, type VaultOutbound } from './drivers/hashicorp.ts';
import type { EnvAllow } from './env-allow.ts';
import { KeptSecret } from './kept-secret.ts';
import { parseEnvReference, parseReference } from './reference.ts';
import { VaultError, type VaultFailure } from './vault-error.ts';
import { ttlMsOf, type Vault } from './vault.ts';

/** Secrets that are kept, and references that are known by their text; the least used one goes first. */
export const SECRETS_MAX = 1000;

/** What the host gives. */
export interface VaultsOptions {
  /** Monotonic time in milliseconds. */
  readonly monotonicMs: () => number;
  /** A variable of the process. */
  readonly env: (name: string) => string | undefined;
  readonly envAllow: EnvAllow;
  /** Usually `readSecretFile`. */
  readonly readFile: ReadSecretFile;
  /** Folder with a folder for each tenant; without it no tenant reads files. */
  readonly fileVaultDir?: string | undefined;
  readonly outbound: VaultOutbound;
  /** A vault began to fail for a secret; for the operator's log. */
  readonly onFailure?: (failure: {
    readonly vault: string;
    /** Path of the secret in it. */
    readonly secret: string;
    readonly code: VaultFailure;
    readonly message: string;
  }) => void;
  /** A vault does not renew its token, which ends when it ends; for the operator's log. Told once, until it does again. */
  readonly onRenewalRefused?: (refusal: { readonly vault: string; readonly status: number }) => void;
}

/** The vaults of a tenant. Its `read` is the `SecretSource` of `@portcullis/plugin-runtime`. */
export interface Vaults {
  /**
   * The secret that a reference names: at once when it is kept or a variable, else a promise.
   * @param reference `vault://prefix/secret[/key]`, or `env://NAME` for a variable that the operator lets the tenant read
   * @throws VaultError, or rejects with one
   */
  read(reference: string, signal?: AbortSignal): string | Promise<string>;
  /** Takes the vaults of a new configuration. What was kept of those that did not change stays. */
  put(tenantId: string, vaults: readonly Vault[]): void;
}

interface OpenVault {
  /** What the driver was made from. */
  readonly made: string;
  readonly driver: Driver;
  readonly ttlMs: number;
}

interface KnownReference {
  readonly kept: KeptSecret;
  readonly key: string | undefined;
}

/** Makes a source of secrets without any vault yet. */
export function createVaults(given: VaultsOptions): Vaults {
  const options = { ...given, readFile: boundedFileReads(given.readFile) };
  const references = new LRUCache<string, KnownReference>({ max: SECRETS_MAX });
  const secrets = new LRUCache<string, KeptSecret>({ max: SECRETS_MAX });
  const reads = { underWay: 0 };
  let open: ReadonlyMap<string, OpenVault> = new Map();
  let allowed: ReadonlySet<string> = new Set();
  const keep = (vault: string, { driver, ttlMs }: OpenVault, secret: string): KeptSecret =>
    new KeptSecret(secret, {
      vault,
      driver,
      ttlMs,
      reads,
      monotonicMs: options.monotonicMs,
      onFailure: ({ code, message }) => options.onFailure?.({ vault, secret, code, message }),
    });
  const resolve = (text: string): KnownReference => {
    const reference = parseReference(text);
    if (reference === undefined)
      throw new VaultError('unknown_vault', 'it is neither vault://prefix/secret[/key] nor env://NAME');
    const vault = open.get(reference.vault);
    if (vault === undefined) throw new VaultError('unknown_vault', 'the tenant has no vault of that prefix');
    const name = `${reference.vault}/${reference.secret}`;
    const kept = secrets.get(name) ?? keep(reference.vault, vault, reference.secret);
    secrets.set(name, kept);
    const known = { kept, key: reference.key };
    references.set(text, known);
    return known;
  };
  return {
    read(text, signal) {
      const variable = parseEnvReference(text);
      if (variable !== undefined) return variableContent(variable, { env: options.env, allowed }).value(undefined);
      const { kept, key } = references.get(text) ?? resolve(text);
      return kept.value(key, signal);
    },
    put(tenantId, vaults) {
      const next = new Map(
        vaults.map((vault) => [vault.prefix, openVault(tenantId, vault, open.get(vault.prefix), options)]),
      );
      const isGone = (kept: KeptSecret): boolean => next.get(kept.vault) !== open.get(kept.vault);
      for (const [text, { kept }] of references) if (isGone(kept)) references.delete(text);
      for (const [name, kept] of secrets) if (isGone(kept)) secrets.delete(name);
      open = next;
      allowed = options.envAllow.get(tenantId) ?? new Set();
    },
  };
}

function openVault(tenantId: string, vault: Vault, before: OpenVault | undefined, options: VaultsOptions): OpenVault {
  const made = JSON.stringify([tenantId, vault.driver, vault.config]);
  return before?.made === made ? before : { made, driver: driverOf(tenantId, vault, options), ttlMs: ttlMsOf(vault) };
}

function driverOf(tenantId: string, vault: Vault, options: VaultsOptions): Driver {
  const { env, envAllow, readFile, fileVaultDir, outbound, monotonicMs, onRenewalRefused } = options;
  switch (vault.driver) {
    case 'env':
      return envDriver(vault, { env, allowed: envAllow.get(tenantId) ?? new Set() });
    case 'file':
      return fileDriver(vault, { readFile, root: fileVaultDir, tenantId });
    case 'hashicorp':
      return hashicorpDriver(vault, {
        outbound,
        monotonicMs,
        onRenewalRefused: (status) => onRenewalRefused?.({ vault: vault.prefix, status }),
      });
  }
}
