import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hasKafka, startKafka } from './index.ts';

const run = promisify(execFile);

describe.skipIf(!hasKafka)('startKafka (needs kcat)', () => {
  it('keeps what a producer sends, with key and headers, and gives it to who asks', async () => {
    await using kafka = await startKafka(2);
    expect(kafka.brokers).toHaveLength(2);
    const [broker = ''] = kafka.brokers;
    const sent = run('kcat', ['-P', '-b', broker, '-t', 'orders', '-K', ':', '-H', 'a=b', '-z', 'lz4']);
    sent.child.stdin?.end('k1:hello\n');
    await sent;
    expect(await kafka.messages('orders')).toEqual([
      expect.objectContaining({ topic: 'orders', key: 'k1', headers: ['a', 'b'], payload: 'hello' }),
    ]);
    expect(kafka.logged(/Received ProduceRequest/)).toBeGreaterThan(0);
  });

  it('leaves no process, a frozen one neither', async () => {
    const kafka = await startKafka();
    kafka.freeze();
    await kafka[Symbol.asyncDispose]();
    expect(kafka.process.running()).toBe(false);
    const socket = connect(Number(kafka.brokers[0]?.split(':')[1]), '127.0.0.1');
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });
});
