import type { PluginLog } from '@portcullis/plugin-runtime';
import type { LiveConfiguration } from '../configuration/live-configuration.ts';
import type { AiMetrics } from '../observations/ai-metrics.ts';
import type { Observer } from '../observations/observer.ts';
import type { RouteMetrics } from '../observations/route-metrics.ts';
import type { DestinationPools } from '../transport/destination-pools.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { TraceContexts } from '../tracing/trace-contexts.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** What requests need of the process. */
export interface ProxyPorts {
  readonly live: LiveConfiguration;
  readonly trusted: TrustedProxies;
  readonly observer: Observer;
  readonly metrics: RouteMetrics;
  readonly aiMetrics: AiMetrics;
  /** Told when a request that was let in is over. */
  readonly admission: { leave(): void };
  /** What all bodies that are held share. */
  readonly heldBodies: ByteBudget;
  /** Connections to where plugins send requests. */
  readonly destinations: DestinationPools;
  /** What becomes of clients' trace contexts. */
  readonly traces: TraceContexts;
  readonly log: PluginLog;
  /** A new unique ID for a request. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Milliseconds that never go back. */
  readonly monotonicMs: () => number;
}
