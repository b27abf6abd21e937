import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BenchResult, FigureTree } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { ownGenerator } from '../load/load-generator.ts';
import { pinProcesses } from '../machine/pinning.ts';
import { scratchFolder } from '../machine/scratch-folder.ts';
import { build, gatewayEntry } from '../peers/built.ts';
import { freezeApp } from '../peers/frozen-app.ts';
import { gatewayPeer } from '../peers/gateway-peer.ts';
import { minimalPeer } from '../peers/minimal-peer.ts';
import type { Peer } from '../peers/peer.ts';
import { clientHeaders, loadedPath, modes } from '../peers/terms.ts';
import { startUpstream } from '../peers/upstream.ts';
import { verifyPeer } from '../peers/verify-peer.ts';
import { optionHelp, parseBenchOptions } from '../gateway/bench-options.ts';
import type { Scenario } from '../scenario.ts';
import { ownCode, selfTimes, selfTimesByOwner } from './self-time.ts';
import type { CpuProfile, SelfTime } from './self-time.ts';

/** Where the gateway's time goes: V8's own profiler, once in each mode, beside the minimal proxy. */
export const profileScenario: Scenario = {
  name: 'profile',
  summary: 'the functions that take most of the processor in the gateway and in the minimal proxy',
  options: optionHelp,
  run,
};

const shownFunctions = 10;

async function run(args: readonly string[]): Promise<BenchResult> {
  const options = parseBenchOptions(args, ['repetitions', 'peers']);
  build(['@portcullis/benchmarks', ...(options.gateway === undefined ? ['@portcullis/gateway'] : [])]);
  const pinning = pinProcesses();
  await using gateway = await freezeApp(options.gateway === undefined ? gatewayEntry : resolve(options.gateway));
  const generator = ownGenerator(pinning);
  const figures: Record<string, FigureTree> = {};
  await using upstream = await startUpstream(pinning);
  for (const peer of modes.flatMap((mode) => [minimalPeer(mode, pinning), gatewayPeer(mode, pinning, gateway.entry)])) {
    const profile = await profiled(peer, upstream.port, async (port) => {
      await verifyPeer(peer.name, peer.mode, port);
      const order = { port, path: loadedPath, headers: clientHeaders(peer.mode), connections: options.connections };
      await generator.run({ ...order, requests: options.warmUp + options.requests }, 1);
    });
    const times = selfTimes(profile);
    const owners = selfTimesByOwner(times);
    const top = times.slice(0, shownFunctions);
    const own = times.filter(({ owner }) => owner === ownCode).slice(0, shownFunctions);
    const title = `${peer.name}, ${peer.mode}`;
    for (const [what, list] of [
      ['by owner', owners],
      ['all functions', top],
      [ownCode, own],
    ] as const) {
      console.log(`\n${profileTable(`${title}: ${what}`, list)}`);
    }
    figures[`${peer.name}_${peer.mode}`] = {
      owners: sharesOf(owners),
      functions: sharesOf(top),
      own_code: sharesOf(own),
    };
  }
  return { bench: 'profile', ratios: {}, figures };
}

/** Starts a peer under the profiler, uses it, stops it, and reads the profile that it leaves. */
async function profiled(peer: Peer, upstreamPort: number, use: (port: number) => Promise<void>): Promise<CpuProfile> {
  await using folder = await scratchFolder();
  {
    await using running = await peer.start(upstreamPort, ['--cpu-prof', `--cpu-prof-dir=${folder.path}`]);
    await use(running.port);
  }
  const [name] = (await readdir(folder.path)).filter((file) => file.endsWith('.cpuprofile'));
  if (name === undefined) throw new Error(`${peer.name} (${peer.mode}) left no profile: it did not end by itself`);
  return JSON.parse(await readFile(join(folder.path, name), 'utf8')) as CpuProfile;
}

function sharesOf(times: readonly SelfTime[]): FigureTree {
  return Object.fromEntries(times.map(({ name, place, share }) => [`${name} ${place}`.trim(), share]));
}

function profileTable(title: string, top: readonly SelfTime[]): string {
  return textTable(
    [title, 'share', 'place'],
    top.map(({ name, place, share }) => [name, `${(share * 100).toFixed(1)} %`, place]),
  );
}
