import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild } from '../machine/child.ts';
import { findExecutable } from '../machine/executable.ts';
import type { Pinning } from '../machine/pinning.ts';
import { scratchFolder } from '../machine/scratch-folder.ts';
import { builtEntry } from '../peers/built.ts';
import { processLimitMs } from '../peers/limits.ts';
import type { LoadOrder, LoadReport } from './load-report.ts';
import { wrkScript } from './spread.ts';
import { parseWrkReport } from './wrk-report.ts';

/** Puts load on a peer from a process of its own. */
export interface LoadGenerator {
  readonly name: string;
  /** @param expectedRps what the peer is known to answer a second; a generator that counts seconds needs it */
  run(order: LoadOrder, expectedRps: number): Promise<LoadReport>;
}

const wrkSecondsMax = 120;

/** Our own generator: exactly as many requests as ordered. */
export function ownGenerator(pinning: Pinning): LoadGenerator {
  return {
    name: 'own generator',
    async run(order) {
      const command = pinning.wrap('load', [process.execPath, builtEntry('load'), JSON.stringify(order)]);
      return JSON.parse(await startChild(command, {}, processLimitMs).output) as LoadReport;
    },
  };
}

/** wrk where it is installed, which needs less of the processor than ours; otherwise our own. */
export function bestGenerator(pinning: Pinning): LoadGenerator {
  const wrk = findExecutable('wrk');
  if (wrk === undefined) return ownGenerator(pinning);
  return {
    name: 'wrk',
    async run({ port, path, headers, connections, requests, spread }, expectedRps) {
      await using folder = await scratchFolder();
      const script = join(folder.path, 'spread.lua');
      if (spread !== undefined) await writeFile(script, wrkScript(spread));
      const seconds = Math.min(wrkSecondsMax, Math.max(1, Math.round(requests / expectedRps)));
      const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
      const url = `http://127.0.0.1:${port}${path}`;
      const options = [
        '--latency',
        '-t1',
        `-c${connections}`,
        `-d${seconds}s`,
        ...named,
        ...(spread === undefined ? [] : ['-s', script]),
      ];
      return parseWrkReport(await startChild(pinning.wrap('load', [wrk, ...options, url]), {}, processLimitMs).output);
    },
  };
}
