import type { AdoptResponse } from './apply-result.ts';
import type { DataStores } from './data-stores.ts';
import type { InlinePlugin, PluginInstance } from './instance.ts';
import type { LogFiles } from './log-files.ts';
import type { Outbound } from './outbound.ts';
import type { Plugin } from './plugin.ts';
import type { PluginMetrics } from './plugin-metrics.ts';
import type { InstanceIdentity, RuntimeEvents } from './runtime-events.ts';
import type { Runtime } from './runtime.ts';
import type { SecretSource } from './secret-source.ts';
import type { Clock, HostLog } from './services.ts';
import type { SharedStore } from './shared-store.ts';
import type { Timers } from './timers.ts';

/** What a runtime is made of. Only `plugins` is required. */
export interface RuntimeOptions {
  /** The packages that instances may name. No two have one name. */
  readonly plugins: readonly Plugin[];
  /** Collection instances. Those that are not enabled are left out. */
  readonly instances?: readonly PluginInstance[];
  /** Inline entries of targets that bring none of their own. */
  readonly inline?: readonly InlinePlugin[];
  /** The tenant whose traffic this is, where a target does not say. Without one, `tenant_id` of instances is not compared. */
  readonly tenantId?: string;
  /** Default: the process's clocks. */
  readonly clock?: Clock;
  /** Default: the event loop's timers. */
  readonly timers?: Timers;
  /**
   * How long one call of a hook may wait for the bodies that it reads, in milliseconds. That time is not the hook's own: a client
   * or an upstream that is slower ends the one request. Default 60,000.
   */
  readonly bodyTimeoutMs?: number;
  /** Uniform in [0, 1). Default: the platform's secure generator. */
  readonly random?: () => number;
  /** A new unique ID. Default: a random UUID. */
  readonly newId?: () => string;
  /** Default: none. */
  readonly log?: HostLog;
  /** The way out of plugins. Default: none, every call is refused. */
  readonly outbound?: Outbound;
  /** What `vault://` references are read from. Default: none, every reference is unknown. */
  readonly secrets?: SecretSource;
  /** What several processes know together. Default: none, every call fails. */
  readonly sharedStore?: SharedStore;
  /** Databases of the operator's. Default: none. */
  readonly dataStores?: DataStores;
  /** The files that plugins of a tenant may append to. Asked once per instance. Default: none, nothing is opened. */
  readonly logFilesOf?: (tenantId: string) => LogFiles;
  /** The figures of an instance. Asked once per instance. Default: none are shown. */
  readonly metricsOf?: (instance: InstanceIdentity) => PluginMetrics;
  readonly events?: RuntimeEvents;
  /** Lets hooks return response objects of the host's world. */
  readonly adoptResponse?: AdoptResponse;
  /**
   * The runtime that this one will replace. Instances that did not change go on with their counters and circuits. Compile the
   * chains before the previous one is disposed. Clock, timers, log, outbound, secrets, stores, files,
   * metrics, events and `bodyTimeoutMs` must be the same as its own.
   */
  readonly previous?: Runtime;
}
