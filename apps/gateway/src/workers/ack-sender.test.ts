import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { PostOutcome } from '../control-plane/control-plane-client.ts';
import { AckSender } from './ack-sender.ts';

function sender(outcomes: readonly PostOutcome[]) {
  const posted: unknown[] = [];
  const timers: (() => void)[] = [];
  const left = [...outcomes];
  const post = async (_path: string, report: unknown): Promise<PostOutcome> => {
    posted.push(report);
    return left.shift() ?? 'accepted';
  };
  const setTimer = (callback: () => void) => {
    timers.push(callback);
    return () => void timers.splice(timers.indexOf(callback), 1);
  };
  return { posted, timers, acks: new AckSender({ post }, { random: () => 0.5, setTimer }) };
}

const ack = (revision: number) => ({ revision });

describe('acknowledgements of a node', () => {
  it('are sent again until the control plane has them, and then no more', async () => {
    const { posted, timers, acks } = sender(['unavailable', 'unavailable', 'accepted']);
    acks.send(ack(1));
    await eventually(() => timers.length === 1);
    timers.shift()?.();
    await eventually(() => timers.length === 1);
    timers.shift()?.();
    await eventually(() => posted.length === 3);
    await new Promise((resolve) => setImmediate(resolve));
    expect([posted, timers]).toEqual([[ack(1), ack(1), ack(1)], []]);
  });

  it('give way to later ones, and are not repeated when they are refused', async () => {
    const { posted, timers, acks } = sender(['unavailable', 'dropped']);
    acks.send(ack(1));
    await eventually(() => timers.length === 1);
    acks.send(ack(2));
    expect(timers).toEqual([]);
    await eventually(() => posted.length === 2);
    await new Promise((resolve) => setImmediate(resolve));
    expect([posted, timers]).toEqual([[ack(1), ack(2)], []]);
  });

  it('that come while one is under way wait for it', async () => {
    const { posted, acks } = sender(['unavailable']);
    acks.send(ack(1));
    acks.send(ack(2));
    acks.send(ack(3));
    await eventually(() => posted.length === 2);
    await new Promise((resolve) => setImmediate(resolve));
    expect(posted).toEqual([ack(1), ack(3)]);
  });

  it('end with the node', async () => {
    const { timers, acks } = sender(['unavailable']);
    acks.send(ack(1));
    await eventually(() => timers.length === 1);
    acks.stop();
    expect(timers).toEqual([]);
  });
});
