import type { Chain } from './chain.ts';
import type { CircuitState } from './circuit.ts';
import { CollectionIndex, type LoadedInstance } from './collection-index.ts';
import { compileChain, type PlacedInstance } from './compile-chain.ts';
import type { ConfigurationIssue } from './configuration-issue.ts';
import { PluginConfigurationError, PluginRuntimeError } from './errors.ts';
import { explainChain, type ExplainedInstance } from './explain-chain.ts';
import { loadInline, readInline } from './inline-chain.ts';
import type { InlinePlugin } from './instance.ts';
import type { LoadContext } from './load-instance.ts';
import type { InstanceIdentity } from './runtime-events.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import type { ChainTarget } from './scope-matching.ts';
import { SharedChains } from './shared-chains.ts';

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
  /** Without the previous runtime: a chain of runtimes that hold one another would never be freed. */
  readonly #options: Omit<RuntimeOptions, 'previous'>;
  readonly #context: LoadContext;
  readonly #shared: SharedChains;
  /** Inline instances of chains that are not shared. An entry goes with its chain. */
  readonly #inline = new WeakMap<Chain, readonly PlacedInstance[]>();

  constructor(options: RuntimeOptions, context: LoadContext, instances: readonly LoadedInstance[]) {
    const { previous, ...own } = options;
    this.#options = own;
    this.#context = context;
    const earlier = previous === undefined ? undefined : previous.#shared;
    this.#shared = new SharedChains(new CollectionIndex(instances), options.adoptResponse, earlier);
  }

  /** The instances that run; for the next runtime. */
  get store(): LoadContext['store'] {
    return this.#context.store;
  }

  /**
   * The chain for a target: compile it once per route and configuration, not per request. Instances are shared among chains;
   * targets without inline entries that the same instances match get the same chain, also from the next runtime while none of these
   * instances changed and the previous runtime is not disposed.
   * @throws PluginRuntimeError after {@link dispose}: `runtime_disposed`
   * @throws TypeError when the inline entries are no list
   */
  buildChain(request: ChainRequest): ChainBuild {
    if (this.#context.store.isReleased) throw new PluginRuntimeError('runtime_disposed', 'the runtime was disposed');
    const target = this.#targetOf(request);
    const issues: ConfigurationIssue[] = [];
    const inline = readInline(request.inline ?? this.#options.inline ?? [], issues);
    if (issues.length + inline.length === 0) return { ok: true, chain: this.#shared.of(target) };
    const placed = loadInline(this.#context, inline, target, issues);
    if (issues.length > 0) {
      this.#release(placed);
      return { ok: false, issues };
    }
    const chain = compileChain(this.#shared.placed(target), placed, this.#options.adoptResponse);
    this.#inline.set(chain, placed);
    return { ok: true, chain };
  }

  /**
   * Lets the inline instances of a chain go that a host with a long-lived runtime uses no more: those that are in no other chain
   * are disposed. Call it when no request runs the chain any more, and after the chain that takes its place was built, which takes
   * over what did not change. Nothing happens for a chain that is shared or was released before.
   */
  releaseChain(chain: Chain): void {
    const placed = this.#inline.get(chain);
    if (placed === undefined) return;
    this.#inline.delete(chain);
    this.#release(placed);
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
    return this.#context.store
      .values()
      .map(({ identity, circuit }) => ({ instance: identity, circuit: circuit.phase }));
  }

  /**
   * Lets the instances go; those that no other runtime took over are disposed. Call it when no request runs a chain of this
   * runtime any more. Safe to call twice.
   */
  dispose(): void {
    this.#context.store.releaseAll();
    this.#shared.clear();
  }

  /**
   * Resolves when the disposals that {@link dispose} began are over, and those of the runtimes that this one replaced: a process that ends
   * waits for them. Never rejects.
   */
  settled(): Promise<void> {
    return this.#context.store.settled();
  }

  #release(placed: readonly PlacedInstance[]): void {
    for (const { running } of placed) this.#context.store.release(running);
  }

  #targetOf(request: ChainRequest): ChainTarget {
    const tenantId = request.tenantId ?? this.#options.tenantId;
    return tenantId === undefined ? request : { ...request, tenantId };
  }
}
