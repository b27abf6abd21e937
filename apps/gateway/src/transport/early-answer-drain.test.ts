import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { DeadlineWatch } from '@portcullis/egress';
import { drainLimits, EarlyAnswerDrain } from './early-answer-drain.ts';

it('what still comes of a body that nobody wants is taken for a while, and given up at once when it is too much', () => {
  const socket = { bytesRead: 1000, destroy: () => undefined };
  const request = Object.assign(new EventEmitter(), { socket, resume: () => undefined });
  const beforeMs = performance.now();
  const drain = new EarlyAnswerDrain(request as unknown as IncomingMessage, new DeadlineWatch(100));
  const endMs = drain.deadlineMs;
  expect(endMs).toBeGreaterThanOrEqual(beforeMs + drainLimits.timeMs);
  expect(endMs).toBeLessThanOrEqual(performance.now() + drainLimits.timeMs);
  socket.bytesRead += drainLimits.bytesMax;
  expect(drain.deadlineMs).toBe(endMs);
  socket.bytesRead += 1;
  expect(drain.deadlineMs).toBe(0);
});
