import type { ConfigurationAck } from '@portcullis/resources';
import type { Vaults } from '@portcullis/vaults';
import type { BuildPorts } from './build-outcome.ts';
import type { ConfigurationCache } from './configuration-cache.ts';
import type { ConfigurationError } from './configuration-errors.ts';
import type { LiveConfiguration } from './live-configuration.ts';

/** What the manager works with. */
export interface ManagerPorts {
  readonly live: LiveConfiguration;
  readonly cache: ConfigurationCache;
  readonly build: BuildPorts;
  /** Gets the vaults of what is built, and reads what it refers to. Default: nobody reads secrets. */
  readonly vaults?: Pick<Vaults, 'put' | 'read'>;
  /** Calls back once. Default: the event loop's timers. */
  readonly setTimer?: (callback: () => void, delayMs: number) => () => void;
  readonly monotonicMs: () => number;
  readonly acknowledge: (ack: ConfigurationAck) => Promise<void>;
  readonly log: ManagerLog;
  /** Lets requests run between two slices of work. Default: a turn of the event loop. */
  readonly pause?: () => Promise<void>;
}

/** What the manager tells the operator. */
export interface ManagerLog {
  info(details: Readonly<Record<string, unknown>>, message: string): void;
  warn(details: Readonly<Record<string, unknown>>, message: string): void;
}

/** What came of a configuration: served, of no use to this node, or refused. */
export type Verdict = { readonly kind: 'served' } | { readonly kind: 'unfit' } | Refusal;

/** Why a configuration is not served. */
export interface Refusal {
  readonly kind: 'refused';
  readonly errors: readonly ConfigurationError[];
  /** Whether the same configuration may be another time's: it is asked for again. */
  readonly mayPass?: boolean;
}
