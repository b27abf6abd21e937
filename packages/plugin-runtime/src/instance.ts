import type { Trigger } from './plugin.ts';

/** Whose traffic a collection instance sees. Source: spec, Scope matching rules. */
export type Scope = 'global' | 'tenant' | 'gateway' | 'workspace' | 'service' | 'route' | 'consumer' | 'consumer_group';

/** How the runtime guards an instance's hooks. Source: spec, Execution policy (fields, ranges, defaults). */
export interface ExecutionPolicy {
  /** 10..30000, default 5000. */
  readonly timeout_ms?: number;
  /** Per hook (`request`, `response`, `error`, `stream`, `tcp`), 10..30000 each. */
  readonly hook_timeouts_ms?: Readonly<Record<string, number>>;
  /** Consecutive infrastructure failures that open the circuit: 1..100, default 3. */
  readonly failure_threshold?: number;
  /** How long the circuit stays open before a probe: 100..3600000, default 30000. */
  readonly recovery_timeout_ms?: number;
  /** `inherit` (by category) is the default. Fail-closed categories ignore `fail_open`. */
  readonly failure_mode?: 'inherit' | 'fail_open' | 'strict';
  /** Calls in flight per instance and hook: 1..256, default 32. Further ones wait 25 ms for a place at the most, then they are rejected. */
  readonly max_concurrency?: number;
}

/** A plugin attached to a scope: the record as the administration API stores it. Source: spec, Plugin instance. */
export interface PluginInstance {
  readonly id: string;
  /** Exact name of the installed package. */
  readonly name: string;
  readonly tenant_id?: string;
  /** Default true. */
  readonly enabled?: boolean;
  /** Default: the plugin's first trigger. */
  readonly trigger?: Trigger;
  /** Default `tenant`. */
  readonly scope?: Scope;
  readonly gateway_id?: string;
  readonly workspace_id?: string;
  readonly service_id?: string;
  readonly service_name?: string;
  readonly route_id?: string;
  readonly route_name?: string;
  readonly consumer_id?: string;
  readonly consumer_group?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** -100000..100000, higher runs first, default 0. */
  readonly priority?: number;
  readonly execution?: ExecutionPolicy;
  readonly config?: unknown;
}

/** A plugin written into a route. It has no scope of its own. `stage` is a synonym of the matching trigger. */
export interface InlinePlugin {
  readonly id?: string;
  readonly name: string;
  readonly enabled?: boolean;
  readonly trigger?: Trigger;
  readonly stage?: 'request' | 'response' | 'error' | 'stream';
  readonly priority?: number;
  readonly execution?: ExecutionPolicy;
  readonly config?: unknown;
}
