import { LogFileError, noLogFiles, type LogFile, type LogFiles } from '@portcullis/plugin-runtime';
import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { EmitterBench } from '../testing/emitter-bench.ts';
import { fileSender, WRITING_BYTES_MAX } from './file-sender.ts';
import { fileLog } from './index.ts';

/** Files in memory, whose next calls may fail: what a host does with them is proven at the gateway, with real ones. */
class MemoryFiles implements LogFiles {
  readonly texts = new Map<string, string>();
  readonly failures: ('refused' | 'full' | 'failed')[] = [];
  opened = 0;
  closed = 0;

  async open(path: string): Promise<LogFile> {
    this.opened += 1;
    return {
      append: async (lines) => {
        const failure = this.failures.shift();
        if (failure !== undefined) throw new LogFileError(failure, 'at /srv/logs');
        this.texts.set(path, (this.texts.get(path) ?? '') + Buffer.from(lines).toString());
      },
      close: async () => void (this.closed += 1),
    };
  }

  paths(path: string): readonly string[] {
    const lines = (this.texts.get(path) ?? '').split('\n').slice(0, -1);
    return lines.map((line) => (JSON.parse(line) as { path: string }).path);
  }
}

const config = { path: 'app/requests.log' };

describe('file_log', () => {
  it('appends one line of JSON for each request, in order, and closes the file when it ends', async () => {
    const files = new MemoryFiles();
    const bench = new EmitterBench(fileLog, config, { logFilesOf: () => files });
    for (const path of ['/a', '/b%0Ab', '/c']) await bench.send({ path, status: 201 });
    await bench.dispose();
    expect(files.paths('app/requests.log')).toEqual(['/a', '/b%0Ab', '/c']);
    expect([files.opened, files.closed, bench.count('records_sent')]).toEqual([1, 1, 3]);
    const [line = ''] = (files.texts.get('app/requests.log') ?? '').split('\n');
    expect(JSON.parse(line)).toMatchObject({ request_id: 'r1', tenant_id: 't1', status: 201, complete: true });
  });

  it('asks for the files of the tenant whose instance it is', async () => {
    const asked: string[] = [];
    const files = new MemoryFiles();
    const bench = new EmitterBench(fileLog, config, { logFilesOf: (tenantId) => (asked.push(tenantId), files) });
    await bench.dispose();
    expect(asked).toEqual(['']);
  });

  it.each(['full', 'failed'] as const)('tries again what was not written: %s', async (failure) => {
    const files = new MemoryFiles();
    files.failures.push(failure);
    const bench = new EmitterBench(fileLog, config, { logFilesOf: () => files });
    await bench.send({ path: '/a' });
    await eventually(() => bench.count('records_sent') === 1);
    await bench.dispose();
    expect([files.paths(config.path), files.failures]).toEqual([['/a'], []]);
  });

  it('loses at once what may not be written, tells the operator, and names no place', async () => {
    const bench = new EmitterBench(fileLog, config, { logFilesOf: () => noLogFiles });
    await bench.send();
    await eventually(() => bench.count('records_failed') === 1);
    expect(JSON.stringify(bench.warnings)).toContain('the gateway has no log folder');
    expect(JSON.stringify(bench.warnings)).not.toContain('requests.log');
    await bench.dispose();
  });

  it('with fail_on_error answers only what was written', async () => {
    const files = new MemoryFiles();
    files.failures.push('full');
    const bench = new EmitterBench(fileLog, { ...config, fail_on_error: true }, { logFilesOf: () => files });
    const statuses = [];
    for (const path of ['/lost', '/kept']) statuses.push((await bench.send({ path })).response.status);
    expect([statuses, files.paths(config.path)]).toEqual([[502, 200], ['/kept']]);
    expect(JSON.stringify(bench.warnings)).not.toContain('/srv');
    await bench.dispose();
  });

  it('gives no more to a disk that hangs than its bound', async () => {
    const { promise: hang, resolve: goOn } = Promise.withResolvers<void>();
    const file = { append: () => hang, close: () => Promise.resolve() };
    const sender = fileSender({ open: () => Promise.resolve(file) }, 'x.log');
    const { signal } = new AbortController();
    const big = sender.send(['x'.repeat(WRITING_BYTES_MAX)], signal);
    await expect(sender.send(['y'], signal)).rejects.toMatchObject({
      isRetryable: true,
      message: 'the disk is too slow',
    });
    goOn();
    await big;
    await sender.send(['y'], signal);
    await sender.close?.();
  });

  it('opens the file again after an opening that failed', async () => {
    const files = new MemoryFiles();
    let times = 0;
    const sender = fileSender(
      { open: (path) => (times++ === 0 ? Promise.reject(new LogFileError('failed', 'x')) : files.open(path)) },
      'x.log',
    );
    const { signal } = new AbortController();
    await expect(sender.send(['{}'], signal)).rejects.toMatchObject({ isRetryable: true });
    await sender.send(['{}'], signal);
    expect(files.texts.get('x.log')).toBe('{}\n');
  });

  it.each([
    '',
    '/var/log/x.log',
    '/proc/self/fd/1',
    '../../x',
    '../x.log',
    'a/../b.log',
    './x.log',
    '..',
    'a/',
    'a//b',
    '.ssh/authorized_keys',
    'a/.x',
    '-rf',
    'a\\b',
    'a\0b',
    'x.log\n',
    'a b',
    'C:x',
    '~/x',
    '%2e%2e/x',
    'x.log.1',
    'a.1/x',
    'ä.log',
    'x'.repeat(129),
    Array.from({ length: 9 }, () => 'x').join('/'),
    Array.from({ length: 6 }, () => 'x'.repeat(100)).join('/'),
    7,
    null,
  ])('refuses the path %j where it is configured', (path) => {
    const compiled = fileLog.plugin.compile({ path });
    const pointers = compiled.ok ? [] : compiled.issues.map(({ pointer }) => pointer);
    expect(pointers).toContain('/path');
  });

  it.each(['x', 'requests.log', 'app/requests.log', 'a/b/c/d/e/f/g/h', '2026/v1.2-rc_3.jsonl', 'a..b'])(
    'takes the path %j',
    (path) => expect(fileLog.plugin.compile({ path })).toMatchObject({ ok: true }),
  );
});
