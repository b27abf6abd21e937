import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRuntime, type Chain, type InlinePlugin, type Plugin, type PluginInstance } from '../index.ts';
import { exchangeOf, pluginOf } from '../testing/fixtures.ts';
import {
  categoryOf,
  collectionInstances,
  inlineEntries,
  targets,
  type Behaviour,
  type ModelInstance,
  type ModelTarget,
  type StageName,
} from './chain-cases.test-support.ts';
import { predict, type Predicted } from './naive-chain.test-support.ts';

/** Plugins whose hooks note that they ran and then do what their config says. */
function scriptedPlugins({ consumer }: ModelTarget): readonly Plugin[] {
  return Object.entries(categoryOf).map(([name, category]) =>
    pluginOf(
      name,
      (config) => {
        const script = config as unknown as Pick<ModelInstance, 'id' | 'behaviour' | 'isLate'>;
        const act = (behaviour: Behaviour): unknown => {
          if (behaviour === 'break') throw new Error('broken');
          if (behaviour === 'respond') return { status: 299, headers: ['x-by', script.id] };
          return behaviour === 'identify' ? { consumer } : undefined;
        };
        const hook = (stage: StageName) => (exchange: { readonly state: Map<string, unknown> }) => {
          const trace = (exchange.state.get('trace') ?? []) as string[];
          exchange.state.set('trace', [...trace, `${stage} ${script.id}`]);
          // Only request hooks may say who the client is; elsewhere to identify is to pass.
          const behaviour =
            stage !== 'request' && script.behaviour[stage] === 'identify' ? 'pass' : script.behaviour[stage];
          return (script.isLate ? Promise.resolve().then(() => act(behaviour)) : act(behaviour)) as undefined;
        };
        return { request: hook('request'), response: hook('response'), error: hook('error') };
      },
      { category, triggers: ['before_request', 'after_response', 'on_error', 'both', 'stream', 'tcp'] },
    ),
  );
}

function recordOf(instance: ModelInstance): PluginInstance {
  const { id, name, enabled, trigger, scope, selectors, priority, behaviour, isLate, failureMode } = instance;
  const execution = { failure_mode: failureMode, failure_threshold: 100 } as const;
  return { id, name, enabled, trigger, scope, priority, execution, ...selectors, config: { id, behaviour, isLate } };
}

function entryOf(instance: ModelInstance): InlinePlugin {
  const { scope: _scope, ...entry } = recordOf(instance);
  return entry;
}

/** Drives one request as a host does. */
async function drive(chain: Chain, upstream: 'answers' | 'fails'): Promise<Predicted> {
  const exchange = exchangeOf();
  const end = (): Predicted => {
    const by = exchange.response.headers.get('x-by');
    const trace = (exchange.state.get('trace') ?? []) as string[];
    return { trace, answeredBy: by ?? exchange.response.source };
  };
  const tellOfFailure = async (): Promise<Predicted> => {
    exchange.fail({ code: 'x', message: 'x' }, { status: 503, headers: [] });
    await chain.runError(exchange);
    return end();
  };
  const request = await chain.runRequest(exchange);
  if (request === 'failed') return tellOfFailure();
  if (request === 'continue') {
    if (upstream === 'fails') return tellOfFailure();
    exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
  }
  return (await chain.runResponse(exchange)) === 'failed' ? tellOfFailure() : end();
}

describe('a chain', () => {
  it('comes to what the sentences of the specification say, for any instances, target and upstream', async () => {
    const upstreams = fc.constantFrom('answers', 'fails') satisfies fc.Arbitrary<'answers' | 'fails'>;
    await fc.assert(
      fc.asyncProperty(
        collectionInstances,
        inlineEntries,
        targets,
        upstreams,
        async (collection, inline, target, upstream) => {
          const runtime = createRuntime({ plugins: scriptedPlugins(target), instances: collection.map(recordOf) });
          const chain = runtime.chainFor({ ...target, inline: inline.map(entryOf) });
          expect(await drive(chain, upstream)).toEqual(predict(collection, inline, target, upstream));
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('does not depend on the order in which instances are listed, nor on those of other traffic', async () => {
    await fc.assert(
      fc.asyncProperty(collectionInstances, targets, fc.infiniteStream(fc.nat()), async (collection, target, draws) => {
        const shuffled = collection
          .map((instance) => ({ instance, at: draws.next().value as number }))
          .toSorted((left, right) => left.at - right.at)
          .map(({ instance }) => instance);
        const elsewhere = {
          ...recordOf(collection[0] ?? sample),
          id: 'elsewhere',
          scope: 'route',
          route_id: 'r9',
        } as const;
        const traces = await Promise.all(
          [collection.map(recordOf), [...shuffled.map(recordOf), elsewhere]].map((instances) =>
            drive(createRuntime({ plugins: scriptedPlugins(target), instances }).chainFor(target), 'answers'),
          ),
        );
        expect(traces[1]).toEqual(traces[0]);
      }),
      { numRuns: 300 },
    );
  });

  it('is the one that explain shows', () => {
    fc.assert(
      fc.property(collectionInstances, inlineEntries, targets, (collection, inline, target) => {
        const runtime = createRuntime({ plugins: scriptedPlugins(target), instances: collection.map(recordOf) });
        const explained = runtime.explain({ ...target, inline: inline.map(entryOf) });
        const wanted = predict(
          // An explanation does not know the consumer yet: whoever waits for one counts as in.
          collection.map((instance) => withoutConsumer(pass(instance))),
          inline.map(pass),
          target,
          'answers',
        );
        const inRequest = explained.filter(({ included, stages }) => included && stages.includes('request'));
        expect(inRequest.map(({ id }) => id)).toEqual(
          wanted.trace.filter((line) => line.startsWith('request ')).map((line) => line.slice('request '.length)),
        );
      }),
      { numRuns: 500 },
    );
  });
});

function pass(instance: ModelInstance): ModelInstance {
  return { ...instance, behaviour: { request: 'pass', response: 'pass', error: 'pass' } };
}

function withoutConsumer(instance: ModelInstance): ModelInstance {
  const { consumer_id: _id, consumer_group: _group, ...selectors } = instance.selectors;
  return { ...instance, selectors };
}

const sample: ModelInstance = {
  id: '0',
  sortId: '0',
  name: 'beta',
  category: 'transformation',
  enabled: true,
  trigger: 'all',
  scope: 'tenant',
  selectors: {},
  priority: 0,
  failureMode: 'inherit',
  behaviour: { request: 'respond', response: 'respond', error: 'respond' },
  isLate: false,
};
