import type { ServerResponse } from 'node:http';
import { eventually, FakeClock, startUpstream, type UpstreamHandler } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { nodeTransport } from '../../engine/node-transport.test-support.ts';
import { providerOf, systemClock } from '../../engine/router.test-support.ts';
import { systemTimers } from '../../engine/router-options.ts';
import type { Provider } from '../../providers/provider.ts';
import type { EmbeddingSource } from '../cache-settings.ts';
import { createEmbedder, type EmbedderPorts } from './create-embedder.ts';
import { EMBEDDED_LENGTH_MAX } from './embedder.ts';
import { ASKED_MAX } from './provider-embedder.ts';

const source = (changes: Partial<EmbeddingSource> = {}): EmbeddingSource => ({
  ...{ provider: 'first', model: 'text-embedding-3-small', timeoutMs: 20_000 },
  ...changes,
});

const embedderOf = (
  providers: readonly Provider[],
  embedding: EmbeddingSource | undefined,
  more: Partial<EmbedderPorts> & { dimensions?: number; failsOpen?: boolean } = {},
) =>
  createEmbedder(
    { embedding, vectorDimensions: more.dimensions ?? 8, embeddingFailsOpen: more.failsOpen ?? true },
    {
      ...{ providers, transport: nodeTransport, clock: systemClock, timers: systemTimers },
      readSecret: (reference) => `secret of ${reference}`,
      ...more,
    },
  );

/** Answers as OpenAI does. */
const vectorOf =
  (vector: unknown): UpstreamHandler =>
  (_, res) =>
    json(res, { object: 'list', data: [{ object: 'embedding', index: 0, embedding: vector }], model: 'm' });

function json(res: ServerResponse, body: unknown, status = 200): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const failureOf = async (asked: () => unknown): Promise<unknown> => {
  try {
    return { embedded: await asked() };
  } catch (error) {
    return error;
  }
};

describe('vectors of a provider', () => {
  it('are asked for one text a call, with the dimensions that are wanted, and have length 1', async () => {
    await using upstream = await startUpstream(vectorOf([3, 0, 4, 0, 0, 0, 0, 0]));
    const embedder = embedderOf([providerOf('first', upstream.url)], source());
    expect(await embedder.embed('Hello?')).toEqual(new Float32Array([0.6, 0, 0.8, 0, 0, 0, 0, 0]));
    const [request] = upstream.requests;
    expect(request?.url).toBe('/v1/embeddings');
    expect(request?.headers['authorization']).toBe('Bearer key-of-first');
    expect(JSON.parse(String(request?.body))).toEqual({
      ...{ model: 'text-embedding-3-small', input: ['Hello?'], encoding_format: 'float', dimensions: 8 },
    });
    expect(embedder).toMatchObject({ dimensions: 8, isBuiltIn: false });
  });

  it('are remembered, and asked for once when several want the same at once', async () => {
    await using upstream = await startUpstream(vectorOf([1, 0]));
    const embedder = embedderOf([providerOf('first', upstream.url)], source());
    const all = await Promise.all([embedder.embed('same'), embedder.embed('same'), embedder.embed('same')]);
    expect(new Set(all).size).toBe(1);
    expect(embedder.embed('same')).toBe(all[0]);
    await embedder.embed('other');
    expect(upstream.requests).toHaveLength(2);
  });

  it('are remembered by one cache, and not told to another', async () => {
    await using upstream = await startUpstream(vectorOf([1, 0]));
    const [one, other] = [0, 1].map(() => embedderOf([providerOf('first', upstream.url)], source()));
    await one?.embed('same');
    expect(other?.embed('same')).toBeInstanceOf(Promise);
    await other?.embed('same');
    expect(upstream.requests).toHaveLength(2);
  });

  it.each([
    ['shorter', [3, 4], [0.6, 0.8, 0, 0, 0, 0, 0, 0]],
    [
      'base64',
      Buffer.from(new Float32Array([0, 2, 0, 0, 0, 0, 0, 0]).buffer).toString('base64'),
      [0, 1, 0, 0, 0, 0, 0, 0],
    ],
  ])('of other forms are fitted: %s', async (_, given, wanted) => {
    await using upstream = await startUpstream(vectorOf(given));
    const embedder = embedderOf([providerOf('first', upstream.url)], source());
    expect(await embedder.embed('x')).toEqual(new Float32Array(wanted));
  });

  it.each([
    ['an error', 429, { error: { message: 'secret detail' } }],
    ['a redirect', 302, {}],
    ['no vectors', 200, { object: 'list', data: [] }],
    ['two vectors', 200, { data: [{ embedding: [1] }, { embedding: [1] }] }],
    ['no numbers', 200, { data: [{ embedding: ['1', '2'] }] }],
    ['an empty vector', 200, { data: [{ embedding: [] }] }],
    ['zeros', 200, { data: [{ embedding: [0, 0, 0] }] }],
    ['null', 200, { data: [{ embedding: null }] }],
    ['odd base64', 200, { data: [{ embedding: 'AAA=' }] }],
    ['a list', 200, []],
    ['text', 200, 'secret detail'],
  ])('an answer that is none is a 502: %s', async (_, status, body) => {
    await using upstream = await startUpstream((_req, res) => json(res, body, status));
    const embedder = embedderOf([providerOf('first', upstream.url)], source());
    const failure = await failureOf(() => embedder.embed('x'));
    expect(failure).toMatchObject({ name: 'EmbeddingError', status: 502 });
    expect(String(failure)).not.toContain('secret detail');
    // It is asked again: the next answer may be one.
    await failureOf(() => embedder.embed('x'));
    expect(upstream.requests).toHaveLength(2);
  });

  it.each([
    ['infinite numbers', '{"data":[{"embedding":[1e999,1]}]}', 'application/json'],
    ['cut JSON', '{"data":[{"embedding":[1', 'application/json'],
    ['too large', `{"data":[{"embedding":[${'0.123456789,'.repeat(200_000)}1]}]}`, 'application/json'],
  ])('so is one that cannot be read: %s', async (_, text, type) => {
    await using upstream = await startUpstream(
      (_req, res) => void res.writeHead(200, { 'content-type': type }).end(text),
    );
    const embedder = embedderOf([providerOf('first', upstream.url)], source());
    expect(await failureOf(() => embedder.embed('x'))).toMatchObject({ name: 'EmbeddingError', status: 502 });
  });

  it.each([
    ['cut', (_req: unknown, res: ServerResponse) => void res.destroy()],
    [
      'cut in the middle',
      (_req: unknown, res: ServerResponse) =>
        void res.writeHead(200, { 'content-length': 100 }).write('{', () => res.destroy()),
    ],
  ])('no answer is a 503, and the provider is left alone for a while: %s', async (_, handler) => {
    await using upstream = await startUpstream(handler);
    const clock = new FakeClock();
    const embedder = embedderOf([providerOf('first', upstream.url)], source(), { clock });
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await failureOf(() => embedder.embed('x'))).toMatchObject({ name: 'EmbeddingError', status: 503 });
    }
    expect(upstream.requests).toHaveLength(1);
    clock.advance(60_000);
    await failureOf(() => embedder.embed('x'));
    expect(upstream.requests).toHaveLength(2);
    // Where a request fails without a vector, it is asked for.
    const closed = embedderOf([providerOf('first', upstream.url)], source(), { clock, failsOpen: false });
    for (let tries = 0; tries < 2; tries += 1) await failureOf(() => closed.embed('x'));
    expect(upstream.requests).toHaveLength(4);
  });

  it('a provider that stalls is given up after the time-out', async () => {
    await using upstream = await startUpstream(() => undefined);
    const clock = new FakeClock();
    const timers = { after: (ms: number, callback: () => void) => clock.setTimer(callback, ms) };
    const embedder = embedderOf([providerOf('first', upstream.url)], source({ timeoutMs: 700 }), { clock, timers });
    const failure = failureOf(() => embedder.embed('x'));
    await eventually(() => expect(upstream.requests).toHaveLength(1));
    clock.advance(700);
    expect(await failure).toMatchObject({ name: 'EmbeddingError', status: 503 });
    expect(clock.pendingTimers).toBe(0);
  });

  it('who leaves waits no longer, and others go on', async () => {
    const held: ServerResponse[] = [];
    await using upstream = await startUpstream((_, res) => void held.push(res));
    const embedder = embedderOf([providerOf('first', upstream.url)], source());
    const leaving = new AbortController();
    const left = failureOf(() => embedder.embed('x', leaving.signal));
    const stays = embedder.embed('x');
    await eventually(() => expect(held).toHaveLength(1));
    leaving.abort();
    expect(await left).toMatchObject({ name: 'EmbeddingError', status: 503 });
    for (const res of held) json(res, { data: [{ embedding: [1, 0] }] });
    expect((await stays)?.[0]).toBe(1);
    const gone = await failureOf(() => embedder.embed('y', AbortSignal.abort()));
    expect(gone).toMatchObject({ name: 'EmbeddingError' });
  });

  it('no more than so many are asked for at a time', async () => {
    const held: ServerResponse[] = [];
    await using upstream = await startUpstream((_, res) => void held.push(res));
    const embedder = embedderOf([providerOf('first', upstream.url)], source());
    const all = Array.from({ length: ASKED_MAX + 5 }, (_, at) => failureOf(() => embedder.embed(`text ${at}`)));
    await eventually(() => expect(held).toHaveLength(ASKED_MAX));
    for (const res of held) json(res, { data: [{ embedding: [1] }] });
    const refused = (await Promise.all(all)).filter((one) => one instanceof Error);
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ name: 'EmbeddingError', status: 503 });
  });

  it('a credential that cannot be read is a 503, and nothing is sent', async () => {
    await using upstream = await startUpstream(vectorOf([1]));
    const readSecret = (): never => {
      throw new Error('vault at 10.0.0.1 is sealed');
    };
    const embedder = embedderOf([providerOf('first', upstream.url)], source({ keyReference: 'vault://v/s' }), {
      readSecret,
    });
    const failure = await failureOf(() => embedder.embed('x'));
    expect(failure).toMatchObject({ name: 'EmbeddingError', status: 503 });
    expect(String(failure)).not.toContain('10.0.0.1');
    expect(upstream.requests).toHaveLength(0);
  });

  it.each(['', ' \n\t', 'x'.repeat(EMBEDDED_LENGTH_MAX + 1)])(
    'texts without a vector are not asked for',
    async (text) => {
      await using upstream = await startUpstream(vectorOf([1]));
      expect(embedderOf([providerOf('first', upstream.url)], source()).embed(text)).toBeUndefined();
      expect(embedderOf([], undefined).embed(text)).toBeUndefined();
      expect(upstream.requests).toHaveLength(0);
    },
  );
});

describe("the router's own vectors", () => {
  it('need nobody, are as long as they are wanted, and differ by source', async () => {
    const embedder = embedderOf([], undefined, { dimensions: 64 });
    const vector = embedder.embed('how do I return a parcel') as Float32Array;
    expect(vector).toHaveLength(64);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(embedder).toMatchObject({ dimensions: 64, isBuiltIn: true });
    const ids = [embedder.id, embedderOf([], undefined, { dimensions: 32 }).id];
    const provider = providerOf('first', 'https://one.example');
    ids.push(embedderOf([provider], source()).id, embedderOf([provider], source({ model: 'other' })).id);
    ids.push(embedderOf([provider], source(), { dimensions: 16 }).id);
    expect(new Set(ids).size).toBe(5);
  });
});
