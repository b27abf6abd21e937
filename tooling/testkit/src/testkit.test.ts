import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually, FakeClock, freePort, startProcess, startUpstream, temporaryFolder } from './index.ts';

describe('FakeClock', () => {
  it('moves both clocks by the same amount and fires timers at their own time', () => {
    const clock = new FakeClock({ nowMs: 1000 });
    const fired: [string, number][] = [];
    clock.setTimer(() => fired.push(['late', clock.nowMs()]), 30);
    clock.setTimer(() => {
      fired.push(['early', clock.nowMs()]);
      clock.setTimer(() => fired.push(['nested', clock.nowMs()]), 5);
    }, 10);
    const cancel = clock.setTimer(() => fired.push(['cancelled', clock.nowMs()]), 20);
    cancel();
    clock.advance(40);
    expect(fired).toEqual([
      ['early', 1010],
      ['nested', 1015],
      ['late', 1030],
    ]);
    expect([clock.nowMs(), clock.monotonicMs(), clock.pendingTimers]).toEqual([1040, 40, 0]);
  });

  it('keeps the monotonic clock when the wall clock steps back', () => {
    const clock = new FakeClock({ nowMs: 5000, monotonicMs: 7 });
    clock.setWall(10);
    expect([clock.nowMs(), clock.monotonicMs()]).toEqual([10, 7]);
    expect(() => clock.advance(-1)).toThrow(RangeError);
  });
});

describe('eventually', () => {
  it('gives the first value that is neither undefined nor false, past throws', async () => {
    let tries = 0;
    const value = await eventually(
      () => {
        tries += 1;
        if (tries === 1) throw new Error('not yet');
        return tries === 2 ? undefined : tries === 3 ? false : 0;
      },
      { intervalMs: 1 },
    );
    expect([value, tries]).toEqual([0, 4]);
  });

  it('says what the last try threw once the deadline passed', async () => {
    const failing = eventually(() => Promise.reject(new Error('still down')), { timeoutMs: 10, intervalMs: 2 });
    await expect(failing).rejects.toThrow(/not reached within 10 ms: still down/);
  });
});

describe('freePort', () => {
  it('gives distinct ports that can be listened on', async () => {
    const ports = [await freePort(), await freePort(), await freePort()];
    expect(new Set(ports).size).toBe(3);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(ports[0], '127.0.0.1', resolve));
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('temporaryFolder', () => {
  it('exists until it is disposed of', async () => {
    let path: string;
    {
      await using folder = await temporaryFolder();
      path = folder.path;
      expect(existsSync(path)).toBe(true);
    }
    expect(existsSync(path)).toBe(false);
  });
});

describe('startUpstream', () => {
  it('echoes and records requests with their bodies', async () => {
    await using upstream = await startUpstream();
    const response = await fetch(`${upstream.url}/a?b=1`, { method: 'POST', body: 'hello', headers: { 'x-one': '1' } });
    expect(await response.json()).toMatchObject({
      method: 'POST',
      url: '/a?b=1',
      body: 'hello',
      headers: { 'x-one': '1' },
    });
    expect(upstream.requests).toHaveLength(1);
    expect(upstream.requests[0]?.body.toString()).toBe('hello');
  });

  it('answers with the handler it is given', async () => {
    await using upstream = await startUpstream((_req, res) => {
      res.writeHead(418).end();
    });
    expect((await fetch(upstream.url)).status).toBe(418);
  });
});

describe('startProcess', () => {
  it('captures output, waits until ready, and ends the process on kill', async () => {
    await using child = await startProcess({
      args: ['-e', 'console.log("up"); console.error("warn"); setInterval(() => {}, 1000)'],
      readyWhen: ({ stdout, stderr }) => stdout().endsWith('up\n') && stderr().endsWith('warn\n'),
    });
    expect(child.running()).toBe(true);
    expect(await child.kill()).toEqual({ code: null, signal: 'SIGTERM' });
    expect([child.stdout(), child.stderr()]).toEqual(['up\n', 'warn\n']);
  });

  it('kills with SIGKILL what does not end by itself', async () => {
    const child = await startProcess({
      args: ['-e', 'process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)'],
      readyWhen: (running) => running.stdout().includes('up'),
    });
    expect(await child.kill('SIGTERM', 50)).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('throws with the output when the process ends before it is ready', async () => {
    const starting = startProcess({
      args: ['-e', 'console.error("no config"); process.exit(3)'],
      readyWhen: () => false,
    });
    await expect(starting).rejects.toThrow(/ended before it was ready \(exit code 3\)[^]*no config/);
  });

  it('throws when the program does not exist', async () => {
    await expect(startProcess({ command: 'no-such-program', args: [] })).rejects.toThrow(/ENOENT/);
  });

  it('feeds standard input', async () => {
    const child = await startProcess({ args: ['-e', 'process.stdin.pipe(process.stdout)'], input: 'given' });
    await child.exited;
    expect(child.stdout()).toBe('given');
  });
});
