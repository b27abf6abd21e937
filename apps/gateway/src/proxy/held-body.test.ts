import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BodySink, BodySource } from '../transport/body-source.ts';
import { ByteBudget } from './byte-budget.ts';
import { HeldBody } from './held-body.ts';
import { problems } from './problems.ts';

const budgetBytes = 1000;

/** A body that comes when it is told to, and gives in to `pause` like a socket: what was on its way still comes. */
class HandFedBody implements BodySource {
  readonly length: number | undefined;
  readonly trailers: readonly string[] = [];
  #sink: BodySink | undefined;

  constructor(length: number | undefined) {
    this.length = length;
  }

  read(sink: BodySink): void {
    this.#sink = sink;
  }

  feed(bytes: number): void {
    this.#sink?.onChunk(new Uint8Array(bytes));
  }

  end(): void {
    this.#sink?.onEnd();
  }

  fail(): void {
    this.#sink?.onError(new Error('cut'));
  }

  pause(): void {}
  resume(): void {}
}

class Holding {
  readonly source: HandFedBody;
  readonly held: HeldBody;
  refusals = 0;

  constructor(heldBodies: ByteBudget, length: number | undefined) {
    this.source = new HandFedBody(length);
    const owner = { ports: { heldBodies }, refuseHold: () => void (this.refusals += 1) };
    this.held = new HeldBody(this.source, owner, problems.requestNotHeld);
  }
}

const act = fc.record({
  body: fc.nat(4),
  kind: fc.constantFrom('read', 'feed', 'feed', 'feed', 'end', 'fail', 'forward', 'release'),
  bytes: fc.nat(400),
});

/** Drops what flows on. */
const drain: BodySink = { onChunk: () => undefined, onEnd: () => undefined, onError: () => undefined };

describe('bodies that are held', () => {
  it('never take more than the budget, and leave nothing in it once they are released, whatever became of them', async () => {
    const lengths = fc.array(fc.option(fc.nat(600), { nil: undefined }), { minLength: 5, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(lengths, fc.array(act, { maxLength: 60 }), async (given, acts) => {
        const budget = new ByteBudget(budgetBytes);
        const all = given.map((length) => new Holding(budget, length));
        for (const { body, kind, bytes } of acts) {
          const one = all[body];
          if (kind === 'read') one?.held.read(bytes).catch(() => undefined);
          else if (kind === 'feed') one?.source.feed(bytes);
          else if (kind === 'end') one?.source.end();
          else if (kind === 'fail') one?.source.fail();
          else if (kind === 'release') one?.held.release();
          else if (one?.held.untouched === false) {
            const forwarded = one.held.forward().catch(() => undefined);
            void forwarded.then((rest) => rest !== undefined && !(rest instanceof Uint8Array) && rest.read(drain));
          }
          // oxlint-disable-next-line no-await-in-loop -- one act after the other
          await Promise.resolve();
          expect(budget.held).toBeGreaterThanOrEqual(0);
          expect(budget.held).toBeLessThanOrEqual(budgetBytes);
        }
        for (const { held } of all) held.release();
        expect(budget.held).toBe(0);
      }),
    );
  });

  it('are refused where there is no room: at once when they say how long they are, else when it ends', async () => {
    const budget = new ByteBudget(budgetBytes);
    const first = new Holding(budget, undefined);
    const reading = first.held.read(budgetBytes);
    await Promise.resolve();
    first.source.feed(600);
    expect(budget.held).toBe(600);
    const said = new Holding(budget, 500);
    await expect(said.held.read(budgetBytes)).rejects.toThrow(problems.requestNotHeld.detail);
    const unsaid = new Holding(budget, undefined);
    const refused = unsaid.held.read(budgetBytes);
    await Promise.resolve();
    unsaid.source.feed(300);
    unsaid.source.feed(300);
    await expect(refused).rejects.toThrow('no more bodies can be held');
    expect([said.refusals, unsaid.refusals, budget.refused, budget.held]).toEqual([1, 1, 2, 900]);
    unsaid.held.release();
    first.source.end();
    expect(await reading).toHaveLength(600);
    first.held.release();
    expect([first.refusals, budget.held]).toEqual([0, 0]);
  });
});

describe('a read that somebody can do without', () => {
  it('takes room for the whole body at once, and gives it back', async () => {
    const budget = new ByteBudget(budgetBytes);
    const first = new Holding(budget, 600);
    const reading = first.held.read(1000, true);
    await Promise.resolve();
    expect(budget.held).toBe(600);
    first.source.feed(400);
    first.source.feed(200);
    first.source.end();
    expect((await reading)?.length).toBe(600);
    expect([budget.held, first.refusals]).toEqual([600, 0]);
    first.held.release();
    expect(budget.held).toBe(0);
  });

  it.each([
    ['the budget has no room for', 600],
    ['nobody knows the length of', undefined],
  ])('leaves a body that %s untouched, and the request goes on', async (_name, length) => {
    const budget = new ByteBudget(budgetBytes);
    budget.take(500);
    const { held, refusals } = new Holding(budget, length);
    expect(await held.read(1000, true)).toBeUndefined();
    expect([held.untouched, refusals, budget.held, budget.refused]).toEqual([true, 0, 500, 0]);
  });
});
