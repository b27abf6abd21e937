import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CampaignFailure, OptionError, type Campaign, type Figures } from '../campaign.ts';
import { makeSoakChain, type SoakChain, type SoakedRequest } from './soak-chain.ts';
import { startSoakSinks } from './soak-sinks.ts';

const requestsDefault = 100_000;
const requestsLimits = { min: 1000, max: 100_000_000 } as const;

/** Requests at a time: the sinks' servers share the process, and have to get their turn. */
const inFlight = 50;

/** Share of the requests that come before the heap is looked at for the first time: code is compiled and queues are as long as they get. */
const warmUpShare = 0.2;

/** How much more may be in use at the end. What is left over of a request, if it were kept, would be a hundred times that. */
const growthBytesMax = 8 * 1024 * 1024;

/** Sends requests through a chain of eight plugins with real sinks: nothing of them is kept, and every record is accounted for. */
export const pluginSoak: Campaign = {
  name: 'plugin-soak',
  summary:
    'requests through a chain of eight plugins that change bodies and tell of them: the heap stays flat, no record is lost unsaid',
  options: `  --requests N (default ${requestsDefault})`,
  run,
};

async function run(args: readonly string[]): Promise<Figures> {
  const requests = readRequests(args);
  const repeat = `${pluginSoak.name} --requests ${requests}`;
  const collect = garbageCollector();
  await using sinks = await startSoakSinks();
  const heap = { before: 0, after: 0 };
  let dropped = 0;
  {
    await using chain = makeSoakChain(sinks);
    const warmUp = Math.ceil(requests * warmUpShare);
    await sendAll(chain, 0, warmUp);
    heap.before = await heapInUse(collect);
    await sendAll(chain, warmUp, requests);
    heap.after = await heapInUse(collect);
    dropped = chain.dropped();
  }
  const growth = heap.after - heap.before;
  if (growth > growthBytesMax) throw new CampaignFailure(`the heap grew by ${growth} bytes`, repeat);
  const told = sinks.counts.http + sinks.counts.tcp;
  if (told + dropped < 2 * requests) {
    throw new CampaignFailure(`of ${2 * requests} records ${told} came and ${dropped} were given up`, repeat);
  }
  return { requests, heap_before: heap.before, heap_after: heap.after, records: { ...sinks.counts, dropped } };
}

async function sendAll(chain: SoakChain, from: number, to: number): Promise<void> {
  let next = from;
  const worker = async (): Promise<void> => {
    while (next < to) {
      const index = next++;
      // oxlint-disable-next-line no-await-in-loop -- each worker sends one after the other
      mustBeChanged(await chain.send(index), index);
      // oxlint-disable-next-line no-await-in-loop
      if (index % inFlight === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

/** @throws CampaignFailure for a request that was not changed as the chain says */
function mustBeChanged({ toService, toClient }: SoakedRequest, index: number): void {
  const isMasked = [toService, toClient].every(
    (text) => text.includes('"password":"***"') && !text.includes('internal'),
  );
  if (isMasked && toService.includes('"channel":"web"') && toClient.includes('"served":true')) return;
  throw new CampaignFailure(
    `request ${index} came out wrong`,
    `${pluginSoak.name} --requests ${Math.max(index + 1, requestsLimits.min)}`,
  );
}

/** Bytes in use once the sinks are empty and everything that can go is gone. */
async function heapInUse(collect: () => void): Promise<number> {
  for (let turn = 0; turn < 3; turn += 1) {
    // oxlint-disable-next-line no-await-in-loop -- what a turn lets go of is collected in the next
    await new Promise((resolve) => setTimeout(resolve, 500));
    collect();
  }
  return process.memoryUsage().heapUsed;
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

function readRequests(args: readonly string[]): number {
  const { min, max } = requestsLimits;
  let text: string | undefined;
  try {
    text = parseArgs({ args: [...args], options: { requests: { type: 'string' } } }).values.requests;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
  const requests = Number(text ?? requestsDefault);
  if (Number.isInteger(requests) && requests >= min && requests <= max) return requests;
  throw new OptionError(`--requests must be a whole number from ${min} to ${max}, not ${text}`);
}
