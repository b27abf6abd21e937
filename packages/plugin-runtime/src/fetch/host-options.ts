import { silentLog, systemClock, systemId } from '../adapters/system-services.ts';
import type { AdoptResponse } from '../apply-result.ts';
import { createRuntime } from '../build-runtime.ts';
import type { Chain } from '../chain.ts';
import type { NamedRecord, RequestFacts } from '../exchange.ts';
import { LiveRuntime } from '../live-runtime.ts';
import type { RuntimeOptions } from '../runtime-options.ts';
import { guardedLog } from '../guarded-ports.ts';
import type { ConsumerDirectory, PluginLog } from '../services.ts';

/** What every adapter takes: the runtime's options, and what the requests belong to. */
export interface HostOptions extends Omit<RuntimeOptions, 'adoptResponse' | 'previous'> {
  /** What instances with selectors match. Default: a gateway named after the adapter. */
  readonly gateway?: NamedRecord;
  readonly workspaceId?: string;
  readonly service?: NamedRecord;
  readonly route?: NamedRecord;
  readonly consumers?: ConsumerDirectory;
}

/** What can be changed of an adapter while it serves. */
export interface HostControls {
  /**
   * Serves other instances and inline entries from the next request on; what is not named stays. Requests in flight end on those
   * before. Instances that did not change keep their counters and circuits, the others are disposed after their last request.
   * @throws PluginConfigurationError listing every mistake; nothing has changed then
   */
  update(changes: Pick<HostOptions, 'instances' | 'inline'>): void;
  /** Lets all plugins go once the last request is over. Requests that come later are mistakes and throw. */
  close(): Promise<void>;
}

/** What an adapter makes of its options once: nothing of it is done again per request. */
export interface CompiledHost {
  readonly live: LiveRuntime<Chain>;
  /** The facts of one more request. */
  readonly newFacts: () => RequestFacts;
  readonly controls: HostControls;
  /** The host's log. What it throws reaches nobody. */
  readonly log: PluginLog;
  /** The clock that requests are timed with; the plugins' own. */
  readonly monotonicMs: () => number;
  readonly consumers: ConsumerDirectory | undefined;
}

/**
 * Sets the plugins up and compiles the chain of an adapter.
 * @param name the adapter's, for the gateway where the options name none
 * @throws PluginConfigurationError listing every instance and inline entry that cannot be loaded
 */
export function compileHost(options: HostOptions, name: string, adoptResponse: AdoptResponse): CompiledHost {
  const { workspaceId, service, route, tenantId = '', newId = systemId, clock = systemClock } = options;
  const target = {
    gateway: recordOf(options.gateway ?? { id: name, name }),
    ...(workspaceId === undefined ? {} : { workspaceId }),
    ...(service === undefined ? {} : { service: recordOf(service) }),
    ...(route === undefined ? {} : { route: recordOf(route) }),
  };
  const live = new LiveRuntime(createRuntime({ ...options, adoptResponse }), (runtime) => runtime.chainFor(target));
  let served = options;
  const controls: HostControls = {
    update: (changes) => {
      const next = { ...served, ...changes };
      live.swap(createRuntime({ ...next, adoptResponse, previous: live.runtime }));
      served = next;
    },
    close: () => live.close(),
  };
  return {
    live,
    newFacts: () => Object.freeze({ requestId: newId(), tenantId, ...target }),
    controls,
    log: guardedLog(options.log ?? silentLog),
    monotonicMs: () => clock.monotonicMs(),
    consumers: options.consumers,
  };
}

/** A record that all requests share: hooks must not change it. */
function recordOf({ id, name }: NamedRecord): NamedRecord {
  return Object.freeze({ id, name });
}
