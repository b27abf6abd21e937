import type { ChainPlace } from './chain-place.ts';
import type { Awaitable, HookResult, RequestEdits, ResponseEdits } from './decision.ts';
import type { ErrorExchange, Exchange, ResponseExchange } from './exchange.ts';
import type { PluginServices } from './services.ts';
import type { StandardSchemaV1 } from './standard-schema.ts';
import type { StreamChunk, StreamResult } from './stream-chunk.ts';
import type { TcpConnection, TcpEvent, TcpResult } from './tcp-connection.ts';

/** When an instance runs, as records and inline entries say it. Source: spec, Trigger semantics. */
export type Trigger =
  | 'before_request'
  | 'after_response'
  | 'on_error'
  | 'stream'
  | 'tcp'
  | 'both'
  | 'request_response'
  | 'all';

/** The part of a request's life that a hook belongs to. */
export type Stage = 'request' | 'response' | 'error' | 'stream' | 'tcp';

/**
 * What a plugin is for. The first six stay fail-closed on runtime infrastructure errors whatever the instance's
 * `failure_mode` says. Source: spec, Execution policy.
 */
export type PluginCategory =
  | 'authentication'
  | 'access_control'
  | 'rate_limit'
  | 'request_protection'
  | 'contract'
  | 'enforcement'
  | 'traffic'
  | 'transformation'
  | 'observability'
  | 'ai';

/** The hooks of one instance. A missing hook means that the plugin does not take part in that stage. */
export interface PluginHooks {
  readonly request?: (exchange: Exchange, place: ChainPlace) => Awaitable<HookResult<RequestEdits>>;
  readonly response?: (exchange: ResponseExchange) => Awaitable<HookResult<ResponseEdits>>;
  readonly error?: (exchange: ErrorExchange) => Awaitable<HookResult<ResponseEdits>>;
  /** Called for each chunk of a response's body, one after the other; the next waits for this one's result. */
  readonly stream?: (exchange: ResponseExchange, chunk: StreamChunk) => Awaitable<StreamResult>;
  /** Called when a connection opens, for each chunk either way, and when it closes. */
  readonly tcp?: (connection: TcpConnection, event: TcpEvent) => Awaitable<TcpResult>;
  /**
   * Whether requests fail when a hook of this instance cannot do its work, as in the categories that always do: for instances that were
   * configured not to let anything pass without them. `failure_mode` `fail_open` has the last word. Default false.
   */
  readonly failsClosed?: boolean;
  /**
   * Frees what `setup` took. Called once, when no request uses the instance any more. What goes wrong in it is logged, late or
   * not; `Runtime.settled` waits for a promise.
   */
  readonly dispose?: () => Awaitable<void>;
}

/** What a plugin author writes. */
export interface PluginDefinition<Config> {
  /** Exact package name in snake_case. */
  readonly name: string;
  /** Semantic version of the plugin package. */
  readonly version: string;
  readonly category: PluginCategory;
  /** The triggers that an instance may name; the first one is the default. */
  readonly triggers: readonly [Trigger, ...Trigger[]];
  /** Schema of the config in any Standard Schema library. Must validate synchronously. */
  readonly config: StandardSchemaV1<unknown, Config>;
  /** Runs once per instance and config revision: everything that can be precomputed is computed here. */
  readonly setup: (config: Config, services: PluginServices) => PluginHooks;
}

/** A mistake in a config: where, and which rule. The offending value is never part of it (it may be a secret). */
export interface ConfigIssue {
  /** JSON Pointer into the config; empty for the config itself. */
  readonly pointer: string;
  /** The rule's name as the schema library calls it, for instance `min_value`; `invalid` where it has none. */
  readonly code: string;
  readonly message: string;
}

/** A defined plugin with its config type closed over, so that plugins of all configs fit one registry. */
export interface Plugin {
  readonly name: string;
  readonly version: string;
  readonly category: PluginCategory;
  readonly triggers: readonly [Trigger, ...Trigger[]];
  /** Checks a config and gives all its mistakes, or the function that makes an instance's hooks. */
  readonly compile: (config: unknown) => CompiledConfig;
}

/** The outcome of {@link Plugin.compile}. */
export type CompiledConfig =
  | { readonly ok: true; readonly setup: (services: PluginServices) => PluginHooks }
  | { readonly ok: false; readonly issues: readonly ConfigIssue[] };
