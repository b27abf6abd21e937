import { makeCertificate } from '@portcullis/testkit/certificates';
import { median } from '../figures/quantile.ts';
import type { BenchResult, FigureTree } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { interleaved } from '../gateway/interleaved.ts';
import { pinProcesses } from '../machine/pinning.ts';
import { numberOptionHelp, parseNumberOptions } from '../number-options.ts';
import { build, gatewayEntry } from '../peers/built.ts';
import { freezeApp } from '../peers/frozen-app.ts';
import type { Scenario } from '../scenario.ts';
import { measureProtocol, type ProtocolMeasurement } from './measure-protocols.ts';
import { protocolPeers } from './protocol-peers.ts';
import { protocolCases, type ProtocolCase } from './protocol-terms.ts';
import { startProtocolUpstream } from './protocol-upstream.ts';
import { serverNameCost, type ServerNameCost } from './server-name-cost.ts';

const numbers = {
  repetitions: { initial: 3, min: 1, max: 99 },
  connections: { initial: 64, min: 1, max: 1000 },
  requests: { initial: 30_000, min: 100, max: 1_000_000 },
  handshakes: { initial: 3000, min: 100, max: 100_000 },
  certificates: { initial: 10_000, min: 10, max: 100_000 },
} as const;

/** The gateway's protocols. */
export const protocolsScenario: Scenario = {
  name: 'gateway-protocols',
  summary:
    'CPU per request, handshake, gRPC call, WebSocket message and event, beside a minimal Node program and nginx',
  options: numberOptionHelp(numbers),
  run,
};

/** The certificates that many are compared with. */
const fewCertificates = 10;

async function run(args: readonly string[]): Promise<BenchResult> {
  const { repetitions, connections, requests, handshakes, certificates } = parseNumberOptions(args, numbers);
  build(['@portcullis/benchmarks', '@portcullis/gateway']);
  const pinning = pinProcesses();
  await using gateway = await freezeApp(gatewayEntry);
  await using upstream = await startProtocolUpstream(pinning);
  const peers = protocolPeers(pinning, gateway.entry, makeCertificate({ subject: 'bench.test' }));
  const names = peers.map(({ name }) => name);
  console.log(
    `gateway-protocols: ${repetitions} repetitions, interleaved; ${names.join(', ')}; ${pinning.description}`,
  );
  const cases = protocolCases.flatMap((kind) => peers.map((peer) => ({ peer, kind })));
  const measured = await interleaved(repetitions, cases, async ({ peer, kind }, repetition) => {
    const units = kind === 'handshake' ? handshakes : requests;
    const one = await measureProtocol(pinning, peer, upstream, { kind, connections, units });
    const text = `${one.cpuMicroseconds.toFixed(1)} µs, ${one.errors} errors`;
    console.error(`[${repetition}/${repetitions}] ${peer.name}, ${kind}: ${text}`);
    return one;
  });
  const costs = await interleaved(repetitions, [fewCertificates, certificates], (count) =>
    serverNameCost(pinning, gateway.entry, upstream, count, { connections, units: handshakes }),
  );
  return report(measured, names, costs, certificates);
}

function report(
  measured: readonly ProtocolMeasurement[],
  peers: readonly string[],
  costs: readonly ServerNameCost[],
  certificates: number,
): BenchResult {
  const rows: string[][] = [];
  const figures: Record<string, FigureTree> = {};
  const ratios: Record<string, number> = {};
  for (const kind of protocolCases) {
    const cpuOf = (peer: string): number => median(of(measured, kind, peer).map((one) => one.cpuMicroseconds));
    for (const peer of peers) {
      const own = of(measured, kind, peer);
      const cpu = own.map(({ cpuMicroseconds }) => cpuMicroseconds);
      const rate = median(own.map(({ unitsPerSecond }) => unitsPerSecond));
      const memory = median(own.map(({ residentMegabytes }) => residentMegabytes));
      const errors = own.reduce((sum, one) => sum + one.errors, 0);
      const shown = [median(cpu), Math.min(...cpu), Math.max(...cpu)].map((figure) => figure.toFixed(1));
      rows.push([`${kind}, ${peer}`, ...shown, rate.toFixed(0), memory.toFixed(0), `${errors}`]);
      figures[kind] = {
        ...figures[kind],
        [peer]: { cpu_us: median(cpu), units_per_second: rate, rss_mb: memory, errors },
      };
      if (peer !== 'gateway') ratios[`${kind}, ${peer}`] = cpuOf('gateway') / cpuOf(peer);
    }
  }
  console.log(`\n${textTable(['case', 'CPU µs', 'lowest', 'highest', 'units/s', 'RSS MB', 'errors'], rows)}\n`);
  const few = costOf(costs, fewCertificates);
  const many = costOf(costs, certificates);
  const line = (cost: ServerNameCost): string =>
    `${cost.certificates} certificates: ready after ${cost.readySeconds.toFixed(2)} s, ` +
    `${cost.cpuMicroseconds.toFixed(0)} µs CPU per handshake, ${cost.residentMegabytes.toFixed(0)} MB, ${cost.errors} errors`;
  console.log(`${line(few)}\n${line(many)}\n`);
  ratios['handshake, many certificates'] = many.cpuMicroseconds / few.cpuMicroseconds;
  return {
    bench: 'gateway-protocols',
    ratios,
    figures: { ...figures, few_certificates: { ...few }, many_certificates: { ...many } },
  };
}

function of(
  measured: readonly ProtocolMeasurement[],
  kind: ProtocolCase,
  peer: string,
): readonly ProtocolMeasurement[] {
  return measured.filter((one) => one.kind === kind && one.peer === peer);
}

/** Medians of one count of certificates. */
function costOf(costs: readonly ServerNameCost[], certificates: number): ServerNameCost {
  const own = costs.filter((one) => one.certificates === certificates);
  const middle = (figure: (one: ServerNameCost) => number): number => median(own.map(figure));
  return {
    certificates,
    readySeconds: middle((one) => one.readySeconds),
    cpuMicroseconds: middle((one) => one.cpuMicroseconds),
    residentMegabytes: middle((one) => one.residentMegabytes),
    errors: own.reduce((sum, one) => sum + one.errors, 0),
  };
}
