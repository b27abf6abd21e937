import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LimitWindow } from './limit-window.ts';
import { RequestLimits } from './request-limits.ts';

const MINUTE_MS = 60_000;

interface Step {
  readonly client: string;
  readonly waitMs: number;
}

const steps = fc.array(
  fc.record({
    client: fc.constantFrom('a', 'b'),
    waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40_000 })),
  }),
  { maxLength: 80 },
);

/** A plain list of what was let through, and a look through all of it for each decision. */
function plainCount(isCounted: (passedMs: number, nowMs: number) => boolean, limit: number) {
  const passed: { client: string; atMs: number }[] = [];
  return (client: string, nowMs: number): number => {
    const used = passed.filter((one) => one.client === client && isCounted(one.atMs, nowMs)).length;
    if (used < limit) passed.push({ client, atMs: nowMs });
    return used;
  };
}

const counted = {
  fixed: (passedMs: number, nowMs: number) => Math.floor(passedMs / MINUTE_MS) === Math.floor(nowMs / MINUTE_MS),
  sliding: (passedMs: number, nowMs: number) => passedMs > nowMs - MINUTE_MS,
};

describe.each(['fixed', 'sliding'] as const)('strategy %s', (strategy) => {
  const isSliding = strategy === 'sliding';
  const limitsOf = (limit: number, countersMax?: number) => limitsFor([limit, MINUTE_MS], isSliding, countersMax);

  it('decides like a plain count of what was let through, for any sequence of requests', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 6 }), (requests: Step[], limit) => {
        const limits = limitsOf(limit);
        const usedBy = plainCount(counted[strategy], limit);
        let nowMs = 0;
        for (const { client, waitMs } of requests) {
          nowMs += waitMs;
          const used = usedBy(client, nowMs);
          const remaining = Math.max(0, limit - used - 1);
          expect(limits.take(client, nowMs)[0]).toMatchObject({ isExceeded: used >= limit, remaining });
        }
      }),
    );
  });

  it('lets a request through after the wait that a refusal names', () => {
    fc.assert(
      fc.property(steps, (requests: Step[]) => {
        const limits = limitsOf(2);
        let nowMs = 0;
        for (const { waitMs } of requests) {
          nowMs += waitMs;
          const [standing] = limits.take('a', nowMs);
          if (standing?.isExceeded !== true) continue;
          nowMs += standing.resetSeconds * 1000;
          expect(limits.take('a', nowMs)[0]?.isExceeded).toBe(false);
        }
      }),
    );
  });

  it('counts a request in no window when one has no room', () => {
    const limits = limitsFor([1, 1000, 'second'], isSliding, undefined, [5, MINUTE_MS, 'minute']);
    for (let sent = 0; sent < 10; sent += 1) limits.take('a', 0);
    expect(limits.take('a', 1000)[1]).toMatchObject({ remaining: 3 });
  });

  it('never holds more clients than its bound', () => {
    const limits = limitsOf(3, 100);
    for (let client = 0; client < 1000; client += 1) limits.take(`c${client}`, 0);
    expect(limits.size).toBeLessThanOrEqual(100);
  });

  it('forgets clients of which nothing counts any more as new ones come', () => {
    const limits = limitsOf(3);
    for (let client = 0; client < 500; client += 1) limits.take(`old${client}`, 0);
    for (let client = 0; client < 500; client += 1) limits.take(`new${client}`, MINUTE_MS);
    expect(limits.size).toBeLessThanOrEqual(501);
  });

  it('keeps a client refused while others crowd it out', () => {
    let warnings = 0;
    const limits = limitsFor([2, MINUTE_MS], isSliding, 50, undefined, () => (warnings += 1));
    for (let sent = 0; sent < 3; sent += 1) limits.take('greedy', 0);
    for (let client = 0; client < 5000; client += 1) limits.take(`c${client}`, client % 1000);
    expect(limits.take('greedy', 1000)[0]?.isExceeded).toBe(true);
    expect(warnings).toBeGreaterThan(0);
  });

  it('lets newcomers share a counter when everybody it holds is refused', () => {
    const limits = limitsOf(1, 10);
    for (let client = 0; client < 10; client += 1) limits.take(`c${client}`, 0);
    expect(limits.take('new', 1)[0]?.isExceeded).toBe(false);
    expect(limits.take('other', 2)[0]?.isExceeded).toBe(true);
    expect(limits.take('other', 2 + MINUTE_MS)[0]?.isExceeded).toBe(false);
  });
});

type Limit = readonly [limit: number, windowMs: number, name?: string];

function limitsFor(
  first: Limit,
  isSliding: boolean,
  countersMax?: number,
  second?: Limit,
  onCrowded: () => void = () => undefined,
): RequestLimits {
  const windows = [first, ...(second === undefined ? [] : [second])].map(
    ([limit, windowMs, name = 'default']) => new LimitWindow(name, name, limit, windowMs),
  );
  return new RequestLimits({ windows, isSliding, onCrowded, ...(countersMax === undefined ? {} : { countersMax }) });
}
