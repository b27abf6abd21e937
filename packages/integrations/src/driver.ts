import type * as v from 'valibot';
import type { SetupForm } from './schema/setup-form.ts';
import type { InputIssue } from './schema/input-issues.ts';
import type { SyncFetch } from './calls/sync-fetch.ts';

/** Time as a sync reads it. */
export interface SyncClock {
  /** Milliseconds since 1970-01-01 UTC. Requests to the cloud are signed with it: more than five minutes off, and it refuses them. */
  nowMs(): number;
  /** Calls back once. Default: the runtime's own timers. @returns what ends it before its time, and may be called twice */
  setTimer?(callback: () => void, delayMs: number): () => void;
}

/** What one sync is made of. */
export interface SyncInput<Config, Secrets> {
  readonly config: Config;
  readonly secrets: Secrets;
  /** Any `fetch`. Where config comes from tenants, one that judges addresses: see the README. */
  readonly fetch: SyncFetch;
  readonly clock: SyncClock;
  /** Ends the sync, with an {@link IntegrationError} `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Variables of the process, of which a driver reads those it names in {@link Driver.variables}. Default: none. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Bounds of one sync. They are the driver's own and no tenant's. */
export interface SyncLimits {
  /** For all requests together, from the first connection to the last byte, in milliseconds. */
  readonly timeoutMs: number;
  /** For connecting, each time. A host that can tell connecting from waiting honours it. In milliseconds. */
  readonly connectTimeoutMs?: number;
  /** Of each answer's body, decoded. All answers of a sync together have twice that. */
  readonly responseBytesMax: number;
  /** Of each answer: texts, numbers, lists and all else that JSON counts as a value. All together have twice that. Default: 10,000. */
  readonly valuesMax?: number;
}

/** A read-only look at one kind of external system. */
export interface Driver<Config, Secrets, Metadata extends object> {
  /** As records name it: `snake_case`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A strict object, which fills in defaults and transforms nothing else: JSON Schema expresses it. {@link Driver.check} finds more. */
  readonly configSchema: v.GenericSchema<Config>;
  /** As `configSchema`. Every field carries `x-secret`. */
  readonly secretsSchema: v.GenericSchema<Secrets>;
  /** How a console asks for both, made from the schemas. */
  readonly form: SetupForm;
  /** Fields of `config` that decide where the secrets are sent. Who changes one has to bring the secrets again. */
  readonly addressFields: readonly string[];
  /** Variables of the operator that the driver reads. */
  readonly variables: readonly string[];
  readonly limits: SyncLimits;
  /** What is wrong with `config` and `secrets`, all of it, in their order; nothing calls out. No message repeats a value. */
  check(input: { readonly config: unknown; readonly secrets: unknown }): readonly InputIssue[];
  /**
   * Looks once, and says what it saw. May be called at once with others. It changes nothing in the other system, follows no redirect, and tries nothing again.
   * @throws IntegrationError whatever goes wrong; it holds no secret
   */
  sync(input: SyncInput<Config, Secrets>): Promise<Metadata>;
}

/** Any driver, for hosts that hold what tenants configured. */
export type AnyDriver = Driver<unknown, unknown, object>;
