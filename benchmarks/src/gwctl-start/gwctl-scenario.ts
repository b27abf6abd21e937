import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { OptionError } from '../gateway/bench-options.ts';
import { textTable } from '../figures/table.ts';
import { scratchFolder } from '../machine/scratch-folder.ts';
import type { Scenario } from '../scenario.ts';
import { commandTimes } from './command-time.ts';
import type { Contender } from './command-time.ts';

const app = fileURLToPath(new URL('../../../apps/gwctl/', import.meta.url));
const executable = `${app}executable/gwctl-${process.platform}-${process.arch}`;

const roundsMax = 1000;

/** How long the command line takes to start, beside a Node that does nothing: `--help` is wanted within 120 ms. */
export const gwctlScenario: Scenario = {
  name: 'gwctl',
  summary: 'start-up of the command line beside a Node that does nothing',
  options: '    --rounds 20       starts of each command',
  run: async (args) => {
    const rounds = roundsOf(args);
    if (!existsSync(`${app}dist/main.js`)) throw new Error('gwctl is not built: npm run build');
    await using folder = await scratchFolder();
    const contenders = [empty, ...commands(process.execPath, `${app}dist/main.js`), ...executables()];
    const times = commandTimes(contenders, rounds, { HOME: folder.path });
    const [base] = times;
    const rows = times.map(({ wallMs, cpuMs }, index) => [
      contenders[index]?.name ?? '',
      ...[
        wallMs.toFixed(0),
        cpuMs?.toFixed(0) ?? '',
        ((cpuMs ?? wallMs) / (base?.cpuMs ?? base?.wallMs ?? 1)).toFixed(2),
      ],
    ]);
    console.log(textTable(['command', 'wall ms', 'CPU ms', 'of an empty Node'], rows));
    const named = times.map((time, index) => [contenders[index]?.name ?? '', time] as const);
    return {
      bench: 'gwctl',
      ratios: Object.fromEntries(
        named.slice(1).map(([name, time]) => [name, (time.cpuMs ?? time.wallMs) / (base?.cpuMs ?? base?.wallMs ?? 1)]),
      ),
      figures: Object.fromEntries(
        named.map(([name, { wallMs, cpuMs }]) => [name, { wall_ms: wallMs, cpu_ms: cpuMs ?? null }]),
      ),
    };
  },
};

/** @throws OptionError for anything but a number of starts */
function roundsOf(args: readonly string[]): number {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: 'string', default: '20' } } });
  const rounds = Number(values.rounds);
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= roundsMax) return rounds;
  throw new OptionError(`--rounds must be a whole number from 1 to ${roundsMax}, not ${values.rounds}`);
}

const empty: Contender = { name: 'node -e 0', command: [process.execPath, '-e', '0'] };

/** What needs no server: the help, a tab, a command that reads a file, and one that loads the schemas. */
function commands(...program: readonly [string, ...string[]]): Contender[] {
  const label = program.length > 1 ? 'gwctl' : 'executable';
  return [['--help'], ['__complete', 'get', 'rou'], ['context', 'list'], ['entities']].map((words) => ({
    name: `${label} ${words.join(' ')}`,
    command: [...program, ...words],
  }));
}

function executables(): Contender[] {
  return existsSync(executable) ? commands(executable) : [];
}
