import type { ConsumerIdentity } from './exchange.ts';

/** Time as plugins read it. Tests pass a clock of their own. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. May jump when the system's clock is set. */
  nowMs(): number;
  /** Milliseconds since an arbitrary start; never goes back. For durations and windows. */
  monotonicMs(): number;
}

/** Where a plugin writes what an operator should know. Never pass secrets or bodies. */
export interface PluginLog {
  warn(message: string, details?: Readonly<Record<string, string | number | boolean>>): void;
  error(message: string, details?: Readonly<Record<string, string | number | boolean>>): void;
}

/** A consumer's credential that matched what the client presented. */
export interface CredentialMatch {
  readonly consumer: ConsumerIdentity;
  /** Milliseconds since 1970 after which the credential is refused; `undefined` for never. */
  readonly expiresAtMs?: number;
}

/** Looks up the tenant's consumers and their credentials. Look-ups are in memory and cost the same for any number. */
export interface ConsumerDirectory {
  /** The credential with this API key; disabled ones are never found. */
  findApiKey(key: string): CredentialMatch | undefined;
  /** A consumer by ID, username or custom ID, for config entries that name one. */
  findConsumer(reference: string): ConsumerIdentity | undefined;
}

/** What a host gives to every plugin instance. Each part is the smallest port that plugins need. */
export interface PluginServices {
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** A new unique ID, sortable by time where the host can. */
  readonly newId: () => string;
  readonly log: PluginLog;
  readonly instance: { readonly id: string; readonly name: string; readonly tenantId: string };
}
