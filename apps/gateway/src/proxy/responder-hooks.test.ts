import { request as httpRequest } from 'node:http';
import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { exchangeRaw } from '../testing/test-gateway.test-support.ts';
import { answerOf, HandFedStream, recordsOf, startAnswering } from './responders.test-support.ts';

/** A stream that writes all of its pieces when it is started. */
function pieces(...texts: string[]): HandFedStream {
  return new (class extends HandFedStream {
    override start(sink: Parameters<HandFedStream['start']>[0]): void {
      super.start(sink);
      for (const text of texts) sink.write(Buffer.from(text));
      sink.end();
    }
  })();
}

describe("hooks over a plugin's own answer", () => {
  it('read its stream whole and put another body in its place, which cancels what nobody has read', async () => {
    const streams: HandFedStream[] = [];
    await using gateway = await startAnswering(
      ({ exchange }) => {
        streams.push(exchange.request.path === '/read' ? pieces('a', 'b', 'c') : new HandFedStream());
        return answerOf(streams.at(-1) as HandFedStream, 'x-made', 'yes');
      },
      {
        response: async ({ request, response }) => {
          if (request.path === '/stop') return { status: 418, body: 'stopped' };
          if (request.path !== '/read') return { body: 'replaced' };
          const body = Buffer.from((await response.readBody(100)) ?? []).toString();
          return { headers: [{ op: 'set', name: 'x-read', value: body }] };
        },
      },
    );
    const read = await fetch(`${gateway.url}/read`);
    expect([await read.text(), read.headers.get('x-read'), read.headers.get('x-made')]).toEqual(['abc', 'abc', 'yes']);
    expect(await (await fetch(`${gateway.url}/replace`)).text()).toBe('replaced');
    const stopped = await fetch(`${gateway.url}/stop`);
    expect([stopped.status, await stopped.text()]).toEqual([418, 'stopped']);
    expect(streams.map(({ cancels, sink }) => [cancels, sink !== undefined])).toEqual([
      [0, true],
      [1, false],
      [1, false],
    ]);
  });

  it('see each piece of it, and cut it', async () => {
    const seen: [string, boolean][] = [];
    const streams: HandFedStream[] = [];
    await using gateway = await startAnswering(
      ({ exchange }) => {
        streams.push(exchange.request.path === '/cut' ? new HandFedStream() : pieces('a', 'b'));
        return answerOf(streams.at(-1) as HandFedStream);
      },
      {
        stream: ({ request }, { bytes, last }) => {
          seen.push([Buffer.from(bytes).toString(), last]);
          return request.path === '/cut' ? { cut: 'enough' } : { bytes: Buffer.from(bytes.length > 0 ? '<>' : '!') };
        },
      },
    );
    expect(await (await fetch(gateway.url)).text()).toBe('<><>!');
    expect(seen).toEqual([
      ['a', false],
      ['b', false],
      ['', true],
    ]);
    const raw = exchangeRaw(gateway.port, 'GET /cut HTTP/1.1\r\nHost: a\r\n\r\n').catch(() => 'reset');
    const stream = await eventually(() => streams[1]?.sink && streams[1]);
    stream.write('secret');
    expect(await raw).not.toContain('secret');
    expect(stream.cancels).toBe(1);
  });

  it('hold it back on a route that holds answers, and let no part of a broken one through', async () => {
    const streams: HandFedStream[] = [];
    await using gateway = await startAnswering(
      ({ exchange }) => {
        streams.push(exchange.request.path === '/whole' ? pieces('a', 'b') : new HandFedStream());
        return answerOf(streams.at(-1) as HandFedStream);
      },
      {},
      { route: { response_buffering: true } },
    );
    const whole = await fetch(`${gateway.url}/whole`);
    expect([whole.status, whole.headers.get('content-length'), await whole.text()]).toEqual([200, null, 'ab']);
    const broken = fetch(gateway.url);
    const stream = await eventually(() => streams[1]?.sink && streams[1]);
    stream.write('part');
    stream.sink?.fail();
    expect((await broken).status).toBe(502);
    await eventually(() => recordsOf(gateway).length === 2);
  });

  it('let it read a body of 64 MiB, and not more', async () => {
    const bytesMax = 64 * 1024 * 1024;
    await using gateway = await startAnswering(async ({ exchange }) => {
      const body = await exchange.request.readBody(2 * bytesMax);
      return answerOf(String(body?.length));
    });
    const send = async (bytes: number): Promise<string> =>
      await new Promise((resolve, reject) => {
        const request = httpRequest(gateway.url, { method: 'POST', headers: { 'content-length': bytes } }, (answer) => {
          let text = '';
          answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
          answer.on('end', () => resolve(text));
        });
        request.on('error', reject);
        request.end(Buffer.alloc(bytes, 'x'));
      });
    expect(await send(bytesMax)).toBe(String(bytesMax));
    expect(await send(bytesMax + 1)).toBe('undefined');
  });
});
