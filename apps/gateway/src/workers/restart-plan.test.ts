import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeReports } from './node-reports.ts';
import { RestartPlan, soundMs } from './restart-plan.ts';

describe('starting a worker again', () => {
  it('waits longer each time while it does not last, up to ten seconds, and forgets that when it lasts', () => {
    const plan = new RestartPlan();
    const pauses = Array.from({ length: 9 }, () => plan.pauseAfter(10));
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
    expect(plan.pauseAfter(soundMs)).toBe(100);
  });
});

describe('the reports of a node of several workers', () => {
  const ack = (revision: number, status = 'applied') => ({ revision, hash: `h${revision}`, status });

  it('say that a configuration is applied when all workers serve it, once', () => {
    const reports = new NodeReports();
    reports.setWorkers([1, 2, 3]);
    expect([reports.acknowledge(1, ack(1)), reports.acknowledge(2, ack(1))]).toEqual([undefined, undefined]);
    expect(reports.acknowledge(3, ack(1))).toEqual(ack(1));
    expect(reports.acknowledge(2, ack(1))).toBeUndefined();
  });

  it('do not wait for a worker that ended', () => {
    const reports = new NodeReports();
    reports.setWorkers([1, 2]);
    reports.acknowledge(1, ack(4));
    reports.setWorkers([1]);
    expect(reports.agreed()).toEqual(ack(4));
  });

  it('say that it is rejected as soon as one worker rejects it', () => {
    const reports = new NodeReports();
    reports.setWorkers([1, 2]);
    reports.acknowledge(1, ack(2));
    expect(reports.acknowledge(2, ack(2, 'rejected'))).toEqual(ack(2, 'rejected'));
    expect(reports.agreed()).toBeUndefined();
  });

  it('have one heart, whatever workers come and go', () => {
    const slots = fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 1 });
    const outcome = fc.check(
      fc.property(fc.array(slots, { minLength: 1 }), (crews) => {
        const reports = new NodeReports();
        for (const crew of crews) {
          reports.setWorkers(crew);
          if (crew.filter((slot) => reports.beats(slot)).length !== 1) return false;
        }
        return true;
      }),
    );
    expect(outcome).toMatchObject({ failed: false });
  });
});
