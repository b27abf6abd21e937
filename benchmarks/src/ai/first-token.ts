import { Agent, request } from 'node:http';

/** A place that streams chats. */
export interface StreamingPlace {
  readonly name: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const eventMark = Buffer.from('data: {');

/**
 * Times to the first event of streams, in milliseconds by place: one stream at a time, the places by turns, so that all see the same machine.
 * @param rounds streams of each place; the first tenth warms up and is left out
 */
export async function firstTokenTimes(
  places: readonly StreamingPlace[],
  rounds: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = new Map<string, number[]>(places.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const place of round % 2 === 0 ? places : places.toReversed()) {
      const elapsedMs = await firstTokenMs(agent, place);
      if (round >= rounds / 10) times.get(place.name)?.push(elapsedMs);
    }
  }
  agent.destroy();
  return times;
}

/** @throws Error for an answer that is no stream */
function firstTokenMs(agent: Agent, { port, path, headers, body }: StreamingPlace): Promise<number> {
  return new Promise((resolve, reject) => {
    const startMs = performance.now();
    let firstMs: number | undefined;
    const length = { 'content-length': Buffer.byteLength(body) };
    const asked = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers: { ...headers, ...length } });
    asked.once('error', reject);
    asked.once('response', (response) => {
      response.on('data', (chunk: Buffer) => {
        if (firstMs === undefined && chunk.includes(eventMark)) firstMs = performance.now() - startMs;
      });
      response.once('error', reject);
      response.once('end', () => {
        if (firstMs === undefined || response.statusCode !== 200)
          reject(new Error(`no stream, but ${response.statusCode}`));
        else resolve(firstMs);
      });
    });
    asked.end(body);
  });
}
