import fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LiveRuntime, createRuntime, type PluginInstance, type RuntimeLease, type Chain } from '../index.ts';
import { exchangeOf, gateway, pluginOf } from '../testing/fixtures.ts';

/** A configuration: which instances, each in one of its versions. */
type Configuration = Readonly<Record<string, number>>;

type Step =
  | { readonly type: 'swap'; readonly to: Configuration }
  | { readonly type: 'begin' }
  | { readonly type: 'end'; readonly nth: number };

const configurations: fc.Arbitrary<Configuration> = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd'),
  fc.constantFrom(1, 2),
  { noNullPrototype: true },
);

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('swap' as const), to: configurations }),
    fc.constant({ type: 'begin' as const }),
    fc.record({ type: fc.constant('end' as const), nth: fc.nat({ max: 4 }) }),
  ),
  { maxLength: 40 },
);

/** What should be alive, said without reference counts: an instance lives while a runtime with a user has it. */
class NaiveSwaps {
  /** Set-ups so far; each instance is named by the number of its set-up. */
  setUps = 0;
  /** Runtimes with a user: what each is made of, by instance key, and its users. */
  readonly #runtimes: { readonly serials: ReadonlyMap<string, number>; users: number }[] = [];

  swap(to: Configuration): void {
    const before = this.#runtimes.at(-1);
    const serials = new Map<string, number>();
    for (const [id, version] of Object.entries(to).toSorted(([left], [right]) => (left < right ? -1 : 1))) {
      const key = `${id}@${version}`;
      // What did not change goes on; what comes back after it was gone is new.
      serials.set(key, before?.serials.get(key) ?? (this.setUps += 1));
    }
    if (before !== undefined) before.users -= 1;
    this.#runtimes.push({ serials, users: 1 });
  }

  begin(): { readonly serials: readonly number[]; end(): void } {
    const runtime = this.#runtimes.at(-1);
    if (runtime === undefined) throw new Error('nothing is served');
    runtime.users += 1;
    return { serials: [...runtime.serials.values()], end: () => void (runtime.users -= 1) };
  }

  get alive(): readonly number[] {
    const used = this.#runtimes.filter(({ users }) => users > 0);
    return [...new Set(used.flatMap(({ serials }) => [...serials.values()]))].toSorted((a, b) => a - b);
  }
}

/** A live runtime whose instances say when they are set up, called and disposed. */
class Subject {
  setUps = 0;
  readonly alive = new Set<number>();
  readonly #instances = pluginOf('subject', () => {
    const serial = (this.setUps += 1);
    this.alive.add(serial);
    return {
      request: ({ state }) => {
        if (!this.alive.has(serial)) throw new Error('a disposed instance was called');
        state.set('ran', [...((state.get('ran') ?? []) as number[]), serial]);
      },
      dispose: () => void this.alive.delete(serial),
    };
  });
  /** Comes last and waits: a request under way. */
  readonly #gate = pluginOf('gate', () => ({ request: ({ state }) => state.get('gate') as Promise<undefined> }));
  #live: LiveRuntime<Chain> | undefined;

  swap(to: Configuration): void {
    const subjects = Object.entries(to).map(([id, version]): PluginInstance => ({
      id,
      name: 'subject',
      priority: 1,
      config: { version },
    }));
    const instances = [...subjects, { id: 'gate', name: 'gate' }];
    const previous = this.#live?.runtime;
    const runtime = createRuntime({
      plugins: [this.#instances, this.#gate],
      instances: instances.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
      ...(previous === undefined ? {} : { previous }),
    });
    if (this.#live === undefined) this.#live = new LiveRuntime(runtime, (served) => served.chainFor({ gateway }));
    else this.#live.swap(runtime);
  }

  /** @returns the instances that ran, and the end of the request */
  begin(): { readonly serials: readonly number[]; end(): Promise<void> } {
    const lease = this.#live?.acquire() as RuntimeLease<Chain>;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const exchange = exchangeOf();
    exchange.state.set('gate', promise);
    const over = Promise.resolve(lease.served.runRequest(exchange));
    return {
      serials: (exchange.state.get('ran') ?? []) as number[],
      end: async () => {
        resolve(undefined);
        expect(await over).toBe('continue');
        lease.release();
      },
    };
  }

  async close(): Promise<void> {
    await this.#live?.close();
  }
}

describe('a live runtime', () => {
  it('gives each request one whole configuration, keeps what did not change and disposes the rest once it is unused', async () => {
    await fc.assert(
      fc.asyncProperty(configurations, steps, async (first, course) => {
        const model = new NaiveSwaps();
        const subject = new Subject();
        model.swap(first);
        subject.swap(first);
        const open: { readonly model: { end(): void }; readonly subject: { end(): Promise<void> } }[] = [];
        const endNth = async (nth: number): Promise<void> => {
          const [request] = open.splice(nth, 1);
          await request?.subject.end();
          request?.model.end();
        };
        for (const step of course) {
          if (step.type === 'swap') {
            model.swap(step.to);
            subject.swap(step.to);
          } else if (step.type === 'end') await endNth(step.nth);
          else {
            const pair = { model: model.begin(), subject: subject.begin() };
            expect(pair.subject.serials).toEqual(pair.model.serials);
            open.push(pair);
          }
          await turn();
          expect([subject.setUps, [...subject.alive].toSorted((a, b) => a - b)]).toEqual([model.setUps, model.alive]);
        }
        while (open.length > 0) await endNth(0);
        await subject.close();
        expect(subject.alive.size).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
