import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startProcess } from '@portcullis/testkit';
import { CampaignFailure, OptionError } from '../campaign.ts';
import type { Campaign, Figures } from '../campaign.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const vitest = fileURLToPath(new URL('../../../../node_modules/vitest/vitest.mjs', import.meta.url));
/** The loop belongs to the control plane, whose parts it replaces; nothing outside imports those. */
const tests = 'apps/admin-api/src/config-faults';

const minutesDefault = 60;
const minutesMax = 24 * 60;
const millisecondsPerMinute = 60_000;

/** Lets every call to the database fail that a configuration write makes. Source: reliability, goal 3. */
export const configFaults: Campaign = {
  name: 'config-faults',
  summary: 'an error at every call to the database, for each write: the state before or after, and again converges',
  options: [
    `  --minutes N (it fails when it takes longer; default ${minutesDefault})`,
    '  --only TEXT (writes whose name has it, such as "update routes"; default all)',
  ].join('\n'),
  run,
};

async function run(args: readonly string[]): Promise<Figures> {
  const { minutes, only } = optionsOf(args);
  const filter = only === undefined ? [] : ['--testNamePattern', only.replaceAll(/[^\w ]/g, '.')];
  const { PORTCULLIS_TEST_POSTGRES_URL: postgres } = process.env;
  await using running = await startProcess({
    args: [
      vitest,
      'run',
      '--project',
      'admin-api',
      '--disable-console-intercept',
      '--reporter',
      'dot',
      ...filter,
      tests,
    ],
    cwd: root,
    env: { PORTCULLIS_TEST_FAULTS: 'every', ...(postgres !== undefined && { PORTCULLIS_TEST_POSTGRES_URL: postgres }) },
  });
  const late = setTimeout(() => void running.kill(), minutes * millisecondsPerMinute);
  const { code } = await running.exited;
  clearTimeout(late);
  const repeat = `config-faults${only === undefined ? '' : ` --only '${only}'`}`;
  if (code !== 0) throw new CampaignFailure(`${running.stdout()}\n${running.stderr()}`, repeat);
  const lines = [...running.stdout().matchAll(/points: (\{.*\})/g)].map(([, json]) => JSON.parse(json ?? '') as Points);
  if (lines.length === 0) throw new CampaignFailure('no write was looked at', repeat);
  const sum = (seen: readonly Points[]): number => seen.reduce((total, { points }) => total + points, 0);
  return {
    writes: new Set(lines.map(({ name }) => name)).size,
    points: sum(lines),
    by_database: sums(lines, ({ dialect }) => dialect, sum),
    by_kind: sums(lines, ({ kind }) => kind, sum),
  };
}

/** A line that the loop prints for each write and kind of fault. */
interface Points {
  readonly dialect: string;
  readonly name: string;
  readonly kind: string;
  readonly points: number;
}

function sums(
  lines: readonly Points[],
  by: (line: Points) => string,
  sum: (lines: readonly Points[]) => number,
): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(lines, by)].map(([name, list]) => [name, sum(list)]));
}

function optionsOf(args: readonly string[]): { readonly minutes: number; readonly only: string | undefined } {
  const text = { type: 'string' } as const;
  const values = ((): { minutes?: string; only?: string } => {
    try {
      return parseArgs({ args: [...args], options: { minutes: text, only: text } }).values;
    } catch (error) {
      throw new OptionError(error instanceof Error ? error.message : String(error));
    }
  })();
  const minutes = Number(values.minutes ?? minutesDefault);
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > minutesMax) {
    throw new OptionError(`--minutes must be a whole number from 1 to ${minutesMax}, not ${values.minutes}`);
  }
  return { minutes, only: values.only };
}
