import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { SpareThread } from './spare-thread.ts';

const waiting = new URL("data:text/javascript,import 'node:worker_threads'; setInterval(() => {}, 1e6)");
const broken = new URL("data:text/javascript,throw new Error('broken')");

/** What a thread ends with, in spite of what is wrong with it. */
const outcomeOf = (worker: Worker | undefined): Promise<string> =>
  new Promise((resolve) => {
    let wrong = '';
    worker?.once('error', (error: Error) => (wrong = error.message));
    worker?.once('exit', () => resolve(wrong));
  });

describe('a spare thread', () => {
  const started: Worker[] = [];
  const startFrom = (url: URL) => (): Worker => {
    const worker = new Worker(url);
    started.push(worker);
    return worker;
  };
  afterEach(async () => {
    await Promise.all(started.splice(0).map((worker) => worker.terminate()));
  });

  it('is given to who asks first; who asks next has one of its own', () => {
    const threads = new SpareThread({ start: startFrom(waiting) });
    threads.prepare();
    threads.prepare();
    expect(started).toHaveLength(1);
    expect(threads.take()).toBe(started[0]);
    expect(threads.take()).toBe(started[1]);
    expect(started).toHaveLength(2);
  });

  it('is forgotten when it ends by itself, with whatever was wrong', async () => {
    const threads = new SpareThread({ start: startFrom(broken) });
    threads.prepare();
    await outcomeOf(started[0]);
    const next = threads.take();
    expect(next).toBe(started[1]);
    await expect(outcomeOf(next)).resolves.toBe('broken');
  });

  it('is ended when nobody asks for it', async () => {
    const threads = new SpareThread({ start: startFrom(waiting), idleMs: 1 });
    threads.prepare();
    await outcomeOf(started[0]);
    expect(threads.take()).toBe(started[1]);
  });

  it('takes nobody along that breaks while it is ended', async () => {
    const unheard: unknown[] = [];
    const threads = new SpareThread({
      start: () => {
        const worker = startFrom(waiting)();
        const terminate = worker.terminate.bind(worker);
        worker.terminate = () => {
          try {
            // As of one that threw just before. Where nobody listens, this throws.
            worker.emit('error', new Error('broken'));
          } catch (error) {
            unheard.push(error);
          }
          return terminate();
        };
        return worker;
      },
      idleMs: 1,
    });
    threads.prepare();
    await new Promise((resolve) => started[0]?.once('exit', resolve));
    expect(unheard).toEqual([]);
  });

  it('is not ended once it is taken', async () => {
    const threads = new SpareThread({ start: startFrom(waiting), idleMs: 1 });
    threads.prepare();
    const taken = threads.take();
    threads.prepare();
    await outcomeOf(started[1]);
    expect(taken.threadId).toBeGreaterThan(0);
  });
});
