import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BodySink, BodySource } from '../transport/body-source.ts';
import { ByteBudget, bytesPerSecondMin, slowAfterMs } from './byte-budget.ts';
import { HeldBody } from './held-body.ts';
import { problems, type GatewayProblem } from './problems.ts';

const budgetBytes = 1000;
const monotonicMs = (): number => performance.now();

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
  problem: GatewayProblem | undefined;

  constructor(heldBodies: ByteBudget, length: number | undefined) {
    this.source = new HandFedBody(length);
    const owner = {
      ports: { heldBodies },
      refuseHold: (problem: GatewayProblem) => {
        this.refusals += 1;
        this.problem ??= problem;
      },
    };
    this.held = new HeldBody(this.source, owner, problems.requestNotHeld, problems.requestTooSlow);
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
        const budget = new ByteBudget(budgetBytes, monotonicMs);
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
    const budget = new ByteBudget(budgetBytes, monotonicMs);
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

describe('bodies that come slowly', () => {
  const most = 10 * bytesPerSecondMin;

  it.each([
    ['of unknown length', undefined, false],
    ['for which room was reserved', 9 * bytesPerSecondMin, true],
  ])(
    '%s are left alone while there is room, and end as their sender’s failure when others need it',
    async (_name, length, isOptional) => {
      let nowMs = 5_000;
      const budget = new ByteBudget(most, () => nowMs);
      const slow = new Holding(budget, length);
      const cut = slow.held.read(most, isOptional);
      await Promise.resolve();
      slow.source.feed(isOptional ? 100 : 9 * bytesPerSecondMin);
      nowMs += 3 * slowAfterMs;
      const quick = new Holding(budget, undefined);
      const whole = quick.held.read(most);
      const honest = new Holding(budget, undefined);
      const honestly = honest.held.read(most);
      await Promise.resolve();
      honest.source.feed(bytesPerSecondMin);
      expect([slow.refusals, budget.held]).toEqual([0, most]);
      nowMs += 1000;
      quick.source.feed(5 * bytesPerSecondMin);
      await expect(cut).rejects.toThrow(problems.requestTooSlow.detail);
      expect([slow.problem, quick.refusals, honest.refusals, budget.refused]).toEqual([
        problems.requestTooSlow,
        0,
        0,
        0,
      ]);
      expect(budget.held).toBe(6 * bytesPerSecondMin);
      slow.source.feed(1000);
      expect(budget.held).toBe(6 * bytesPerSecondMin);
      quick.source.end();
      honest.source.end();
      expect([(await whole)?.length, (await honestly)?.length]).toEqual([5 * bytesPerSecondMin, bytesPerSecondMin]);
    },
  );

  it('give way also to what they bring themselves, and leave nothing in the budget', async () => {
    let nowMs = 0;
    const budget = new ByteBudget(most, () => nowMs);
    const slow = new Holding(budget, undefined);
    const cut = slow.held.read(most);
    await Promise.resolve();
    slow.source.feed(most - 1);
    nowMs += 3 * slowAfterMs;
    slow.source.feed(2);
    await expect(cut).rejects.toThrow(problems.requestTooSlow.detail);
    slow.held.release();
    expect([slow.problem, budget.held]).toEqual([problems.requestTooSlow, 0]);
  });

  it('are no reason to end those that have come, or that may still be quick', async () => {
    let nowMs = 0;
    const budget = new ByteBudget(most, () => nowMs);
    const there = new Holding(budget, undefined);
    const read = there.held.read(most);
    await Promise.resolve();
    there.source.feed(100);
    there.source.end();
    await read;
    nowMs += 3 * slowAfterMs;
    const young = new Holding(budget, undefined);
    void young.held.read(most);
    await Promise.resolve();
    young.source.feed(100);
    nowMs += slowAfterMs - 1;
    expect(budget.take(most)).toBe(false);
    expect([there.refusals, young.refusals, budget.refused, budget.held]).toEqual([0, 0, 1, 200]);
  });
});

describe('a read that somebody can do without', () => {
  it('takes room for the whole body at once, and gives it back', async () => {
    const budget = new ByteBudget(budgetBytes, monotonicMs);
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
    const budget = new ByteBudget(budgetBytes, monotonicMs);
    budget.take(500);
    const { held, refusals } = new Holding(budget, length);
    expect(await held.read(1000, true)).toBeUndefined();
    expect([held.untouched, refusals, budget.held, budget.refused]).toEqual([true, 0, 500, 0]);
  });
});
