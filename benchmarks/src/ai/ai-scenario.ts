import { median, quantile } from '../figures/quantile.ts';
import type { BenchResult, FigureTree } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { interleaved } from '../gateway/interleaved.ts';
import { ownGenerator } from '../load/load-generator.ts';
import { portOf, startChild } from '../machine/child.ts';
import { pinProcesses, type Pinning } from '../machine/pinning.ts';
import { build, builtEntry, gatewayEntry } from '../peers/built.ts';
import { freezeApp } from '../peers/frozen-app.ts';
import { serverLimitMs } from '../peers/limits.ts';
import type { Scenario } from '../scenario.ts';
import { measureAi, type AiMeasurement } from './ai-load.ts';
import { watchAiMemory, type AiMemory } from './ai-memory.ts';
import { aiOptionHelp, parseAiOptions } from './ai-options.ts';
import { aiPeers, type AiPeer } from './ai-peers.ts';
import { answerKinds, chatPath, models } from './ai-terms.ts';
import { firstTokenTimes, type StreamingPlace } from './first-token.ts';
import { semanticMicroseconds } from './semantic-time.ts';
import { bodyFor } from './verify-ai-peer.ts';

/** The gateway as an AI gateway. */
export const aiScenario: Scenario = {
  name: 'ai',
  summary: 'CPU per chat, time to the first token and memory of the AI gateway beside a minimal AI proxy and Portkey',
  options: aiOptionHelp,
  run,
};

async function run(args: readonly string[]): Promise<BenchResult> {
  const options = parseAiOptions(args);
  build(['@portcullis/benchmarks', '@portcullis/gateway']);
  const pinning = pinProcesses();
  const generator = ownGenerator(pinning);
  await using gateway = await freezeApp(gatewayEntry);
  const peers = aiPeers(pinning, gateway.entry);
  const { repetitions, requests, connections, streams, memoryRequests } = options;
  console.log(
    `ai: ${repetitions} repetitions of ${requests} chats over ${connections} connections, interleaved; ${pinning.description}`,
  );
  const provider = startChild(pinning.wrap('load', [process.execPath, builtEntry('ai-provider')]), {}, serverLimitMs);
  await using _provider = provider;
  const providerPort = await portOf(provider);
  const cases = answerKinds.flatMap((kind) => peers.map((peer) => ({ peer, kind })));
  const measured = await interleaved(repetitions, cases, async ({ peer, kind }, repetition) => {
    const one = await measureAi(peer, kind, providerPort, generator, options);
    console.error(
      `[${repetition}/${repetitions}] ${peer.name}, ${kind}: ${one.cpuMicroseconds.toFixed(0)} µs CPU, ${one.errors} errors`,
    );
    return one;
  });
  const firstTokens = await addedFirstTokenMs(peers, providerPort, streams);
  const own = peers.find(({ name }) => name === 'gateway');
  const memory =
    memoryRequests === 0 || own === undefined
      ? undefined
      : await watchAiMemory(own, providerPort, generator, memoryRequests, connections);
  return report(measured, firstTokens, memory, semanticMicroseconds(), pinning);
}

interface FirstToken {
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Over the provider asked without anybody between. */
  readonly addedMs: number;
}

/** Times to the first event through each peer, all running at once and asked by turns. */
async function addedFirstTokenMs(
  peers: readonly AiPeer[],
  providerPort: number,
  streams: number,
): Promise<ReadonlyMap<string, FirstToken>> {
  await using running = new AsyncDisposableStack();
  const direct = {
    name: 'direct',
    port: providerPort,
    path: chatPath,
    headers: {},
    body: bodyFor('stream', models.upstream),
  };
  const places: StreamingPlace[] = [direct];
  for (const peer of peers) {
    const { port } = running.use(await peer.start(providerPort));
    const headers = { 'content-type': 'application/json', ...peer.headers(providerPort) };
    places.push({ name: peer.name, port, path: peer.path, headers, body: bodyFor('stream', peer.model) });
  }
  const times = await firstTokenTimes(places, streams);
  const alone = median(times.get('direct') ?? []);
  return new Map(
    [...times].map(([name, own]) => [
      name,
      { medianMs: median(own), p99Ms: quantile(own, 0.99) ?? 0, addedMs: median(own) - alone },
    ]),
  );
}

function report(
  measured: readonly AiMeasurement[],
  firstTokens: ReadonlyMap<string, FirstToken>,
  memory: AiMemory | undefined,
  semanticUs: number,
  pinning: Pinning,
): BenchResult {
  const names = [...new Set(measured.map(({ peer }) => peer))];
  const figures: Record<string, FigureTree> = {};
  const rows: string[][] = [];
  const cpuOf = new Map<string, number>();
  for (const kind of answerKinds) {
    for (const name of names) {
      const own = measured.filter((one) => one.peer === name && one.kind === kind);
      const middle = (figure: (one: AiMeasurement) => number): number => median(own.map(figure));
      const cpu = middle((one) => one.cpuMicroseconds);
      const errors = own.reduce((sum, one) => sum + one.errors, 0);
      cpuOf.set(`${kind} ${name}`, cpu);
      const range = [
        Math.min(...own.map((one) => one.cpuMicroseconds)),
        Math.max(...own.map((one) => one.cpuMicroseconds)),
      ];
      const rps = middle((one) => one.requestsPerSecond);
      const [p50, p99, rss] = [
        middle((one) => one.p50Ms),
        middle((one) => one.p99Ms),
        middle((one) => one.residentMegabytes),
      ];
      rows.push([
        `${name}, ${kind}`,
        ...[cpu, ...range, rps, p50, p99, rss].map((figure) => figure.toFixed(figure < 100 ? 1 : 0)),
        `${errors}`,
      ]);
      figures[kind] = { ...figures[kind], [name]: { cpu_us: cpu, rps, p50_ms: p50, p99_ms: p99, rss_mb: rss, errors } };
    }
  }
  console.log(
    `\n${textTable(['peer', 'CPU µs', 'lowest', 'highest', 'RPS', 'p50 ms', 'p99 ms', 'RSS MB', 'errors'], rows)}\n`,
  );
  for (const [name, { medianMs, p99Ms, addedMs }] of firstTokens) {
    console.log(
      `first token, ${name}: ${medianMs.toFixed(2)} ms (p99 ${p99Ms.toFixed(2)}), added ${addedMs.toFixed(2)} ms`,
    );
  }
  console.log(`choosing a target by meaning: ${semanticUs.toFixed(1)} µs`);
  if (memory !== undefined) {
    console.log(
      `memory over ${memory.requests} chats: RSS ${memory.residentFirstMegabytes.toFixed(0)} to ${memory.residentLastMegabytes.toFixed(0)} MB, ` +
        `heap ${memory.heapFirstMegabytes.toFixed(1)} to ${memory.heapLastMegabytes.toFixed(1)} MB`,
    );
  }
  const ratio = (kind: string, other: string): number =>
    (cpuOf.get(`${kind} gateway`) ?? 0) / (cpuOf.get(`${kind} ${other}`) ?? 1);
  const others = names.filter((name) => name !== 'gateway');
  return {
    bench: 'ai',
    ratios: Object.fromEntries(
      answerKinds.flatMap((kind) => others.map((other) => [`${kind}, ${other}`, ratio(kind, other)])),
    ),
    figures: {
      ...figures,
      first_token: Object.fromEntries(
        [...firstTokens].map(([name, one]) => [
          name,
          { median_ms: one.medianMs, p99_ms: one.p99Ms, added_ms: one.addedMs },
        ]),
      ),
      semantic_us: semanticUs,
      ...(memory === undefined ? {} : { memory: { ...memory } }),
      settings: { pinning: pinning.description },
    },
  };
}
