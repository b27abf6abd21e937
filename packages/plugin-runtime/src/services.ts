import type { DataStores } from './data-stores.ts';
import type { ConsumerIdentity } from './exchange.ts';
import type { LogFiles } from './log-files.ts';
import type { Outbound } from './outbound.ts';
import type { PluginMetrics } from './plugin-metrics.ts';
import type { SecretSource } from './secret-source.ts';
import type { SharedStore } from './shared-store.ts';
import type { Timers } from './timers.ts';

/** Time as plugins read it. Tests pass a clock of their own. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. May jump when the system's clock is set. */
  nowMs(): number;
  /** Milliseconds since an arbitrary start; never goes back. For durations and windows. */
  monotonicMs(): number;
}

/** Where a plugin writes what an operator should know; which instance wrote it is added. Never pass secrets or bodies. */
export interface PluginLog {
  /** What helps to find out why one request ended as it did. May be called for each request; most hosts write it only when asked to. */
  debug(message: string, details?: LogDetails): void;
  warn(message: string, details?: LogDetails): void;
  error(message: string, details?: LogDetails): void;
}

/** Fields of a line. */
export type LogDetails = Readonly<Record<string, string | number | boolean>>;

/** The log that a host passes. One without `debug` leaves such lines out. */
export type HostLog = Omit<PluginLog, 'debug'> & Partial<Pick<PluginLog, 'debug'>>;

/** A consumer's credential that matched what the client presented. */
export interface CredentialMatch {
  readonly consumer: ConsumerIdentity;
  /** Milliseconds since 1970 after which the credential is refused; `undefined` for never. */
  readonly expiresAtMs?: number;
}

/** A user name and password. */
export interface BasicCredential {
  readonly match: CredentialMatch;
  /** PHC text of an Argon2id hash. Checking it is slow by design: keep what was verified for a short time. */
  readonly passwordHash: string;
}

/** A secret that signs requests. */
export interface HmacCredential {
  readonly match: CredentialMatch;
  readonly secret: string;
  /** What requests may be signed with, for instance `hmac-sha256`; no other is accepted. */
  readonly algorithms: readonly string[];
}

/** What JSON Web Tokens of one issuer are checked with: exactly one of `secret` and `publicKey`. */
export interface JwtCredential {
  readonly match: CredentialMatch;
  /** As registered for JWS (`HS256`, `EdDSA`, …). It counts, whatever a token says. */
  readonly algorithm: string;
  readonly secret?: string;
  /** PEM. */
  readonly publicKey?: string;
}

/**
 * Looks up the tenant's consumers and their credentials. Look-ups are in memory and cost the same for any number. Credentials that
 * are disabled, or whose consumer is, are never found; an expired one is found with its time. A look-up gives the same object while
 * the credential and its consumer stay as they are, so that what was derived from it can be kept by it (`WeakMap`).
 */
export interface ConsumerDirectory {
  findApiKey(key: string): CredentialMatch | undefined;
  findBasic(username: string): BasicCredential | undefined;
  /** @param keyId what requests give as `username` or `keyid` */
  findHmac(keyId: string): HmacCredential | undefined;
  /** @param key what tokens give as `iss` */
  findJwt(key: string): JwtCredential | undefined;
  /**
   * A consumer by ID, username or custom ID: for what an issuer or a config entry calls it. Who is `disabled` has to be refused, and must
   * not pass as a stranger of that name.
   */
  findConsumer(reference: string): ConsumerIdentity | 'disabled' | undefined;
}

/** What a host gives to every plugin instance. Each part is the smallest port that plugins need. */
export interface PluginServices {
  readonly clock: Clock;
  /** For what has to be done later. None of them keeps the process alive; clear those that are set in `dispose`. */
  readonly timers: Timers;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** A new unique ID, sortable by time where the host can. */
  readonly newId: () => string;
  readonly log: PluginLog;
  /** The way out for calls to configured addresses. */
  readonly outbound: Outbound;
  /** Reads what `vault://` references name. */
  readonly secrets: SecretSource;
  /** What the processes of the tenant's gateways know together. `noSharedStore` where the host has none. */
  readonly sharedStore: SharedStore;
  /** Databases of the operator's. `noDataStores` where the host has none. */
  readonly dataStores: DataStores;
  /** Files that the tenant's plugins may append to. `noLogFiles` where the host has none. */
  readonly logFiles: LogFiles;
  /** Figures of this instance. `noMetrics` where the host shows none. */
  readonly metrics: PluginMetrics;
  readonly instance: { readonly id: string; readonly name: string; readonly tenantId: string };
}

/** A directory that knows nobody: of hosts that have no consumers. */
export const noConsumers: ConsumerDirectory = {
  findApiKey: () => undefined,
  findBasic: () => undefined,
  findHmac: () => undefined,
  findJwt: () => undefined,
  findConsumer: () => undefined,
};
