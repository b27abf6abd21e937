import fc from 'fast-check';
import type { ConsumerIdentity, PluginCategory, Scope, Trigger } from '../index.ts';

/** The stages of a request with an answer; streams and connections have tests of their own. */
export type StageName = 'request' | 'response' | 'error';

/** How a stage ended. */
export type Outcome = 'continue' | 'respond' | 'failed';

/** What a hook does: nothing, answer, break down, or say who the client is. */
export type Behaviour = 'pass' | 'respond' | 'break' | 'identify';

/** The selectors of an instance. */
export interface Selectors {
  readonly gateway_id?: string;
  readonly workspace_id?: string;
  readonly service_id?: string;
  readonly service_name?: string;
  readonly route_id?: string;
  readonly route_name?: string;
  readonly consumer_id?: string;
  readonly consumer_group?: string;
}

/** One instance or inline entry with what its hooks will do. */
export interface ModelInstance {
  /** As traces name it. */
  readonly id: string;
  /** As the order sees it: inline entries without an ID of their own have none. */
  readonly sortId: string;
  readonly name: string;
  readonly category: PluginCategory;
  readonly enabled: boolean;
  readonly trigger: Trigger;
  readonly scope: Scope;
  readonly selectors: Selectors;
  readonly priority: number;
  readonly failureMode: 'inherit' | 'fail_open' | 'strict';
  readonly behaviour: Readonly<Record<StageName, Behaviour>>;
  /** Whether the hooks answer with promises. */
  readonly isLate: boolean;
}

/** The traffic of a case. */
export interface ModelTarget {
  readonly gateway: { readonly id: string; readonly name: string };
  readonly workspaceId?: string;
  readonly service?: { readonly id: string; readonly name: string };
  readonly route?: { readonly id: string; readonly name: string };
  /** Who the client is found to be, should an instance say so. */
  readonly consumer: ConsumerIdentity;
}

/** Names of plugins, one per category that the draw uses. */
export const categoryOf: Readonly<Record<string, PluginCategory>> = {
  alpha: 'authentication',
  beta: 'transformation',
  gamma: 'rate_limit',
  delta: 'observability',
};

const selectorOfScope: Readonly<Record<Scope, readonly (keyof Selectors)[]>> = {
  global: [],
  tenant: [],
  gateway: ['gateway_id'],
  workspace: ['workspace_id'],
  service: ['service_id', 'service_name'],
  route: ['route_id', 'route_name'],
  consumer: ['consumer_id'],
  consumer_group: ['consumer_group'],
};

/** Values right and wrong in turn: two of each kind, so that random selectors often match and often do not. */
const selectorValues: Readonly<Record<keyof Selectors, readonly string[]>> = {
  gateway_id: ['g1', 'g2'],
  workspace_id: ['w1', 'w2'],
  service_id: ['s1', 's2'],
  service_name: ['shop', 'bank'],
  route_id: ['r1', 'r2'],
  route_name: ['orders', 'users'],
  consumer_id: ['c1', 'c2'],
  consumer_group: ['gold', 'silver'],
};

const triggers: readonly Trigger[] = [
  'before_request',
  'after_response',
  'on_error',
  'both',
  'request_response',
  'all',
  'stream',
  'tcp',
];

const behaviour = fc.constantFrom<Behaviour>('pass', 'pass', 'pass', 'pass', 'respond', 'break', 'identify');

function selectorsOf(scope: Scope): fc.Arbitrary<Selectors> {
  const own = selectorOfScope[scope];
  const needed = own.length === 0 ? fc.constant<string | undefined>(undefined) : fc.constantFrom(...own);
  const further = fc.subarray(Object.keys(selectorValues) as (keyof Selectors)[], { maxLength: 2 });
  const isRight = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 });
  return fc
    .tuple(needed, fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: further }), isRight)
    .map(([first, more, right]) => {
      const names = [...new Set([...(first === undefined ? [] : [first as keyof Selectors]), ...more])];
      const pick = (name: keyof Selectors, at: number): string =>
        selectorValues[name][right[at % 3] === 0 ? 1 : 0] ?? '';
      return Object.fromEntries(names.map((name, at) => [name, pick(name, at)]));
    });
}

const common = {
  name: fc.constantFrom(...Object.keys(categoryOf)),
  enabled: fc.integer({ min: 0, max: 7 }).map((draw) => draw !== 0),
  trigger: fc.constantFrom(...triggers),
  priority: fc.constantFrom(-100_000, -1, 0, 0, 0, 1, 100_000),
  failureMode: fc.constantFrom('inherit', 'fail_open', 'strict') satisfies fc.Arbitrary<ModelInstance['failureMode']>,
  behaviour: fc.record({ request: behaviour, response: behaviour, error: behaviour }),
  isLate: fc.boolean(),
};

const scopes = Object.keys(selectorOfScope) as Scope[];

/** Collection instances with IDs of their own. */
export const collectionInstances: fc.Arbitrary<readonly ModelInstance[]> = fc
  .uniqueArray(fc.constantFrom('1', '2', '10', 'a', 'B', 'b', 'é', 'z'), { maxLength: 7 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc.constantFrom(...scopes).chain((scope) =>
          fc.record({ ...common, selectors: selectorsOf(scope) }).map((drawn) => ({
            ...drawn,
            id,
            sortId: id,
            scope,
            category: categoryOf[drawn.name] ?? 'transformation',
          })),
        ),
      ),
    ),
  );

/** Inline entries: no scope, IDs by their place. */
export const inlineEntries: fc.Arbitrary<readonly ModelInstance[]> = fc
  .array(fc.record(common), { maxLength: 4 })
  .map((entries) =>
    entries.map((drawn, at) => ({
      ...drawn,
      id: `i${at}`,
      sortId: `i${at}`,
      scope: 'route' as const,
      selectors: {},
      category: categoryOf[drawn.name] ?? 'transformation',
    })),
  );

const member: ConsumerIdentity = { id: 'c1', groups: ['gold', 'new'] };
const route = { id: 'r1', name: 'orders' };
const service = { id: 's1', name: 'shop' };
const gateway = { id: 'g1', name: 'edge' };

/** Requests with and without workspace, service and route. */
export const targets: fc.Arbitrary<ModelTarget> = fc.constantFrom<ModelTarget>(
  { gateway, workspaceId: 'w1', route, service, consumer: member },
  { gateway, route, service, consumer: { id: 'c2', groups: [] } },
  { gateway, route, consumer: member },
  { gateway, workspaceId: 'w1', consumer: member },
);
