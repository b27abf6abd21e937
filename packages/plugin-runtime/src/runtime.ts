import type { Chain } from './chain.ts';
import { checkInline, type ConfigurationIssue } from './check-instance.ts';
import type { CircuitState } from './circuit.ts';
import { CollectionIndex, type LoadedInstance } from './collection-index.ts';
import { compileChain, type PlacedInstance } from './compile-chain.ts';
import { PluginConfigurationError } from './errors.ts';
import { explainChain, type ExplainedInstance } from './explain-chain.ts';
import { inlineIds } from './inline-ids.ts';
import type { InlinePlugin } from './instance.ts';
import { compareOrder, type OrderKey } from './instance-order.ts';
import { loadInstance, type LoadContext } from './load-instance.ts';
import type { RunningInstance } from './running-instance.ts';
import type { InstanceIdentity } from './runtime-events.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { consumerGuardOf, type ChainTarget } from './scope-matching.ts';
import { triggerOf } from './trigger-stages.ts';

/** A target and its route's inline entries. */
export interface ChainRequest extends ChainTarget {
  /** Default: the runtime's own `inline`. */
  readonly inline?: readonly InlinePlugin[];
}

/** A compiled chain, or every mistake of its inline entries. */
export type ChainBuild =
  | { readonly ok: true; readonly chain: Chain }
  | { readonly ok: false; readonly issues: readonly ConfigurationIssue[] };

/** How one instance is doing. */
export interface InstanceStatus {
  readonly instance: InstanceIdentity;
  readonly circuit: CircuitState['phase'];
}

/** The plugins of one configuration, set up. Made by `createRuntime` or `buildRuntime`. */
export class Runtime {
  readonly #options: RuntimeOptions;
  readonly #context: LoadContext;
  readonly #collection: CollectionIndex;
  /** Chains of targets that only common instances see, by gateway, workspace and tenant: most routes share one. */
  readonly #shared = new Map<string, Chain>();

  constructor(options: RuntimeOptions, context: LoadContext, instances: readonly LoadedInstance[]) {
    this.#options = options;
    this.#context = context;
    this.#collection = new CollectionIndex(instances);
  }

  /** The instances that run; for the next runtime. */
  get store(): LoadContext['store'] {
    return this.#context.store;
  }

  /**
   * The chain for a target: compile it once per route and configuration, not per request. Instances are shared among chains;
   * targets that nothing distinguishes get the same chain.
   */
  buildChain(request: ChainRequest): ChainBuild {
    const target = this.#targetOf(request);
    const inline = (request.inline ?? this.#options.inline ?? []).map((entry, position) => ({ entry, position }));
    const enabled = inline.filter(({ entry }) => entry.enabled !== false);
    const isShared = enabled.length === 0 && this.#collection.narrowMatching(target).length === 0;
    if (isShared) return { ok: true, chain: this.#sharedChain(target) };
    const issues: ConfigurationIssue[] = [];
    const placed = this.#loadInline(enabled, target, issues);
    if (issues.length > 0) return { ok: false, issues };
    return { ok: true, chain: compileChain(this.#placedCollection(target), placed, this.#options.adoptResponse) };
  }

  /** As {@link buildChain}. @throws PluginConfigurationError for inline entries that cannot be loaded */
  chainFor(request: ChainRequest): Chain {
    const build = this.buildChain(request);
    if (build.ok) return build.chain;
    throw new PluginConfigurationError(build.issues);
  }

  /** Every instance and inline entry in request order, in the chain or not, and why. Nothing is set up for it. */
  explain(request: ChainRequest): readonly ExplainedInstance[] {
    return explainChain(
      {
        plugins: this.#context.plugins,
        instances: this.#options.instances ?? [],
        inline: request.inline ?? this.#options.inline ?? [],
      },
      this.#targetOf(request),
    );
  }

  /** The circuits of all instances, for reports. */
  status(): readonly InstanceStatus[] {
    return Array.from(this.#context.store.values(), ({ identity, circuit }) => ({
      instance: identity,
      circuit: circuit.phase,
    }));
  }

  /**
   * Lets the instances go; those that no other runtime took over are disposed. Call it when no request runs a chain of this
   * runtime any more. Safe to call twice.
   */
  dispose(): void {
    this.#context.store.releaseAll();
  }

  #targetOf(request: ChainRequest): ChainTarget {
    const tenantId = request.tenantId ?? this.#options.tenantId;
    return tenantId === undefined ? request : { ...request, tenantId };
  }

  #sharedChain(target: ChainTarget): Chain {
    const key = JSON.stringify([target.tenantId, target.gateway.id, target.workspaceId]);
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const chain = compileChain(this.#placedCollection(target), [], this.#options.adoptResponse);
    this.#shared.set(key, chain);
    return chain;
  }

  #placedCollection(target: ChainTarget): readonly PlacedInstance[] {
    return this.#collection.matching(target).map(({ record, running }) => ({
      running,
      trigger: triggerOf(record, running.plugin),
      guard: consumerGuardOf(record),
    }));
  }

  #loadInline(
    entries: readonly { readonly entry: InlinePlugin; readonly position: number }[],
    target: ChainTarget,
    issues: ConfigurationIssue[],
  ): readonly PlacedInstance[] {
    const ids = inlineIds(entries, target.route);
    const loaded: { order: OrderKey; placed: PlacedInstance }[] = [];
    for (const [nth, { entry, position }] of entries.entries()) {
      const where = { source: 'inline', index: position, id: entry.id ?? '', name: entry.name } as const;
      const found = checkInline(this.#context.plugins, entry);
      issues.push(...found.map((issue) => ({ ...where, ...issue })));
      // With a mistake anywhere nothing will run, so nothing more is set up; checking goes on to list them all.
      if (issues.length > 0) continue;
      const running = loadInstance(this.#context, entry, ids[nth] ?? entry.name, target.tenantId ?? '');
      if ('code' in running) issues.push({ ...where, ...running });
      else loaded.push(placeInline(entry, position, running));
    }
    return loaded.toSorted((a, b) => compareOrder(a.order, b.order)).map(({ placed }) => placed);
  }
}

function placeInline(
  entry: InlinePlugin,
  position: number,
  running: RunningInstance,
): { order: OrderKey; placed: PlacedInstance } {
  return {
    order: { priority: entry.priority ?? 0, name: entry.name, id: entry.id ?? '', position },
    placed: { running, trigger: triggerOf(entry, running.plugin), guard: undefined },
  };
}
