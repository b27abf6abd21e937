import { describe, expect, it } from 'vitest';
import { hangingPings, silentPings, startingPings, WorkerCrew } from './worker-crew.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** A worker that hears, answers and ends as it is told to. */
class PuppetWorker {
  readonly heard: ToWorker[] = [];
  killed = 0;
  say: (message: FromWorker) => void = () => undefined;
  end: (how: string) => void = () => undefined;

  send(message: ToWorker): void {
    this.heard.push(message);
  }

  onMessage(take: (message: FromWorker) => void): void {
    this.say = take;
  }

  onExit(told: (how: string) => void): void {
    this.end = told;
  }

  kill(): void {
    this.killed += 1;
  }
}

function startCrew(listens = true): { crew: WorkerCrew; workers: PuppetWorker[]; crashes: string[]; late: number[] } {
  const workers: PuppetWorker[] = [];
  const crashes: string[] = [];
  const late: number[] = [];
  const crew = new WorkerCrew({
    workers: 2,
    start: () => {
      const worker = new PuppetWorker();
      workers.push(worker);
      return worker;
    },
    monotonicMs: () => 0,
    onMessage: () => undefined,
    onCrew: () => undefined,
    onEnded: () => undefined,
    onListening: () => undefined,
    onCrash: (slot, how) => crashes.push(`${slot} ${how}`),
    onLate: (slots) => late.push(...slots),
    onFailed: () => undefined,
  });
  crew.start();
  if (listens)
    for (const worker of workers) worker.say({ kind: 'listening', ports: { proxyPort: 1, proxyTlsPort: 2 } });
  return { crew, workers, crashes, late };
}

async function stopWith(crew: WorkerCrew, workers: readonly PuppetWorker[], limitMs: number): Promise<void> {
  const stopped = crew.stop(limitMs);
  for (const worker of workers) worker.end('exit code 0');
  await stopped;
}

describe('the workers of a node', () => {
  it('are pinged; one that leaves too many pings unanswered is killed, and said why', async () => {
    const { crew, workers, crashes } = startCrew();
    const [lively, hanging] = workers;
    for (let count = 0; count < hangingPings; count += 1) {
      crew.tick();
      lively?.say({ kind: 'pong' });
    }
    expect([lively?.killed, hanging?.killed]).toEqual([0, 0]);
    crew.tick();
    lively?.say({ kind: 'pong' });
    expect([lively?.killed, hanging?.killed]).toEqual([0, 1]);
    hanging?.end('SIGKILL');
    expect(crashes).toEqual([`2 no answer to ${hangingPings} pings in 20 s`]);
    await stopWith(crew, workers.slice(0, 1), 60_000);
  });

  it('are replaced when they hang before they listen; one that answers may take its time to start', async () => {
    const { crew, workers, crashes } = startCrew(false);
    const [slow, hanging] = workers;
    for (let count = 0; count < startingPings; count += 1) {
      crew.tick();
      slow?.say({ kind: 'pong' });
    }
    expect([slow?.killed, hanging?.killed]).toEqual([0, 0]);
    crew.tick();
    expect([slow?.killed, hanging?.killed]).toEqual([0, 1]);
    hanging?.end('SIGKILL');
    expect(crashes).toEqual([`2 no answer to ${startingPings} pings in 60 s`]);
    await stopWith(crew, workers.slice(0, 1), 60_000);
  });

  it('are not asked for pages while they are silent, and nobody waits for what was asked before', async () => {
    const { crew, workers } = startCrew();
    const [silent] = workers;
    const asked = crew.page(1, 'GET', '/ready', 60_000);
    for (let count = 0; count <= silentPings; count += 1) crew.tick();
    expect(await asked).toBeUndefined();
    const heard = silent?.heard.length;
    expect(await crew.metrics(1)).toBeUndefined();
    expect(silent?.heard).toHaveLength(heard ?? -1);
    silent?.say({ kind: 'pong' });
    const again = crew.page(1, 'GET', '/ready', 60_000);
    const question = silent?.heard.at(-1);
    if (question?.kind !== 'page') throw new Error('not asked');
    silent?.say({ kind: 'page', id: question.id, answer: { status: 200, headers: {}, body: '' } });
    expect(await again).toMatchObject({ status: 200 });
    await stopWith(crew, workers, 60_000);
  });

  it('are killed when they do not stop in time', async () => {
    const { crew, workers, late } = startCrew();
    for (const worker of workers) worker.kill = () => worker.end('SIGKILL');
    workers[0]?.end('exit code 0');
    await crew.stop(1);
    expect(late).toEqual([2]);
  });
});
