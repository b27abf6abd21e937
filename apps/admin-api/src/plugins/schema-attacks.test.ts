import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AsideWork } from '../resources/aside-work.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { SchemaThreads, waitingPerTenantMax } from './schema-threads.ts';

const admin = '/api/v1/admin';

/** Computing on this thread what is computed on others takes seconds; what stays here takes up to 70 ms, twice that where processors are shared. */
const stallMs = 500;

/** The longest that this thread computes without a pause while something goes on. On a busy machine time passes without it. */
async function longestPauseMs(work: () => Promise<unknown>): Promise<number> {
  const computedMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longestMs = 0;
  let lastMs = computedMs();
  const timer = setInterval(() => {
    const nowMs = computedMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  }, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return longestMs;
}

const texts = (count: number, text: string): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, text]));
const numbers = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
const typed = (count: number): object => ({ allOf: Array.from({ length: count }, () => ({ type: 'string' })) });
const each = (additionalProperties: object): object => ({ type: 'object', additionalProperties });

describeOnEachDatabase('schemas of one tenant', (context) => {
  let service: TestService;
  const call = (method: string, path: string, body: object): Promise<Answer> =>
    service.call(method, `${admin}${path}?tenant_id=acme`, body);

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    await service.addTenant('globex');
    await service.call('POST', `${admin}/gateways`, { tenant_id: 'acme', id: 'edge', name: 'edge' });
    // Threads and what they compile for the first time are not what is measured.
    await call('POST', '/plugin-packages', { name: 'warm', config_schema: each({ pattern: '^a+$' }) });
    await call('POST', '/plugins', { name: 'warm', config: { a: 'a' } });
  });
  afterAll(() => service.stop());

  const thousands = { pattern: '^(?:a?){1000}(?:a){999}$' };
  const atMost = { pattern: '^(?:a?){200}(?:a){190}b$' };
  it.each<[string, object, object, number, number]>([
    ['patterns of thousands of steps', each(thousands), texts(30, 'a'.repeat(1995)), 422, 422],
    ['all the steps there may be, on long texts', each(atMost), texts(30, 'a'.repeat(1995)), 201, 422],
    [
      'all the steps there may be, on as long texts as there may be',
      each(atMost),
      texts(2, 'a'.repeat(1995)),
      201,
      422,
    ],
    ['a million mistakes', each(typed(850)), numbers(1990), 201, 422],
    ['as many mistakes as there may be', each(typed(850)), numbers(30), 201, 422],
    [
      'much to compile',
      each({ allOf: Array.from({ length: 450 }, (_, n) => ({ minLength: 0, maxLength: n })) }),
      {},
      201,
      201,
    ],
  ])('stall nobody else: %s', async (name, schema, config, installs, makes) => {
    const packageName = `p_${name.length}`;
    let others: Answer[] = [];
    const pauseMs = await longestPauseMs(async () => {
      const over = new AbortController();
      const reading = (async () => {
        while (!over.signal.aborted)
          others = [...others.slice(-9), await service.call('GET', `${admin}/gateways?tenant_id=globex`)];
      })();
      const installed = await call('POST', '/plugin-packages', { name: packageName, config_schema: schema });
      expect(installed.status, JSON.stringify(installed.body)).toBe(installs);
      const made = await call('POST', '/plugins', { name: packageName, config });
      expect(made.status).toBe(makes);
      const plugins = Array.from({ length: 10 }, () => ({ name: packageName, config }));
      const routed = await call('POST', '/gateways/edge/routes', { name: packageName, path: '/r', plugins });
      expect(routed.status, JSON.stringify(routed.body)).toBe(makes);
      over.abort();
      await reading;
    });
    expect(others.every(({ status }) => status === 200)).toBe(true);
    expect(pauseMs).toBeLessThan(stallMs);
  });
});

describe('the threads of schemas', () => {
  const worker = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const listening = (then: string): URL =>
    worker(`import { parentPort } from 'node:worker_threads';
      parentPort.on('message', (task) => { ${then} });
      parentPort.postMessage({ kind: 'ready' });`);
  const task = { kind: 'config', schema: { type: 'object' }, config: {} } as const;

  it('are ended when a task takes too long, and the next one finds another', async () => {
    const code = "if (task.config.slow) for (;;); parentPort.postMessage({ kind: 'done', problems: [] });";
    const threads = new SchemaThreads({ timeLimitMs: 500, workerUrl: listening(code) });
    const slow = threads.run('acme', { ...task, config: { slow: true } });
    const others = threads.run('globex', task);
    expect(await others).toEqual([]);
    const errors = [{ pointer: '/config', code: 'schema_too_costly' }];
    await expect(slow).rejects.toMatchObject({ status: 422, errors });
    expect(await threads.run('acme', task)).toEqual([]);
    await threads.close();
  });

  it.each([
    ['breaks', listening('throw new Error("broken")')],
    ['ends', listening('process.exit(0)')],
    ['never begins', worker('process.exit(0)')],
  ])('one that %s is 503, and takes nobody along', async (_name, workerUrl) => {
    const threads = new SchemaThreads({ workerUrl });
    await expect(threads.run('acme', task)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(threads.run('acme', task)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('take a bounded number of tasks of one tenant, one at a time', async () => {
    const code = `import { BroadcastChannel, parentPort } from 'node:worker_threads';
      let held = false;
      const answer = () => parentPort.postMessage({ kind: 'done', problems: [] });
      new BroadcastChannel('gate').onmessage = () => { if (held) answer(); held = false; };
      parentPort.on('message', (task) => { if (task.config.held) held = true; else answer(); });
      parentPort.postMessage({ kind: 'ready' });`;
    const threads = new SchemaThreads({ workerUrl: worker(code), timeLimitMs: 30_000 });
    const held = { ...task, config: { held: true } };
    let ran = 0;
    const asked = Array.from({ length: waitingPerTenantMax + 1 }, () =>
      threads.run('acme', held).then(() => (ran += 1)),
    );
    await expect(threads.run('acme', held)).rejects.toMatchObject({ status: 429 });
    expect(await threads.run('globex', task)).toEqual([]);
    expect(ran).toBe(0);
    // Opened again and again: a thread hears only what is said after it began to listen.
    const gate = new BroadcastChannel('gate');
    const opening = setInterval(() => gate.postMessage('open'), 5);
    await Promise.all(asked);
    clearInterval(opening);
    gate.close();
    await threads.close();
    expect(ran).toBe(waitingPerTenantMax + 1);
  });
});

describe('work aside of a write', () => {
  it('goes by what it was asked of, so that a package that was replaced is asked about anew', async () => {
    const aside = new AsideWork();
    expect(aside.resultOf('old', async () => 'a')).toBeUndefined();
    await aside.settle();
    aside.begin();
    expect([aside.resultOf('old', async () => 'never'), aside.isWanted]).toEqual(['a', false]);
    expect([aside.resultOf('new', async () => 'b'), aside.isWanted]).toEqual([undefined, true]);
  });
});
