import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '@portcullis/testkit';
import { CampaignFailure, OptionError, type Campaign, type Figures } from '../campaign.ts';
import { REMOVED_RULE } from './removed-rule.ts';
import { rules, type Rule } from './rules.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** For the tests of one rule, in milliseconds: without it, some would never end. */
const runMs = 180_000;

/** Takes each rule of docs/security.md out of its source, and sees its test fail. */
export const removedRules: Campaign = {
  name: 'removed-rules',
  summary: 'every rule of docs/security.md is taken out in turn, and its test fails',
  options: `  --only TEXT (rules whose file or test has it; default: all ${rules.length})`,
  run,
};

async function run(args: readonly string[]): Promise<Figures> {
  const only = readOnly(args);
  const chosen = rules.filter(({ file, test, title }) => [file, test, title].some((text) => text.includes(only)));
  if (chosen.length === 0) throw new OptionError(`--only ${only}: no rule has it`);
  const kept: string[] = [];
  for (const rule of chosen) {
    // Vitest takes both processors.
    // oxlint-disable-next-line no-await-in-loop -- see above
    const failed = await failedWithout(rule);
    console.log(`${failed > 0 ? 'fails' : 'PASSES'} without its rule: ${rule.test}, ${rule.only ?? rule.title}`);
    if (failed === 0) kept.push(`${rule.test}: ${rule.title}`);
  }
  if (kept.length > 0) {
    throw new CampaignFailure(`tests that do not miss their rule:\n${kept.join('\n')}`, removedRules.name);
  }
  return { rules: chosen.length, missed: kept.length };
}

function readOnly(args: readonly string[]): string {
  try {
    return parseArgs({ args: [...args], options: { only: { type: 'string' } } }).values.only ?? '';
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}

/** @returns how many of the rule's tests failed; one where they had to be ended */
async function failedWithout(rule: Rule): Promise<number> {
  await using folder = await temporaryFolder();
  const report = folder.join('report.json');
  const name = rule.only ?? escaped(beginningOf(rule.title));
  const options = [
    ...['node_modules/vitest/vitest.mjs', 'run', rule.test, '--testNamePattern', name],
    ...['--config', 'tooling/campaigns/src/removed-rules/vitest.config.ts'],
    ...['--reporter', 'json', '--outputFile', report],
  ];
  if (!(await ended(options, { ...process.env, [REMOVED_RULE]: JSON.stringify(rule) }))) return 1;
  const { numFailedTests: failed, numPassedTests: passed } = JSON.parse(await readFile(report, 'utf8')) as {
    readonly numFailedTests: number;
    readonly numPassedTests: number;
  };
  if (failed + passed === 0) throw new Error(`no test of ${rule.test} ran: is ${name} its name?`);
  return failed;
}

/** Runs Node in a group of its own, which is ended whole: a test may block its process for good. @returns whether it ended by itself */
async function ended(options: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn(process.execPath, options, { cwd: root, env, stdio: 'ignore', detached: true });
  const over = once(child, 'exit');
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), runMs);
  const [code] = (await over) as [number | null];
  clearTimeout(timer);
  return code !== null;
}

/** Titles of many tests hold placeholders. */
function beginningOf(title: string): string {
  return title.split(/%[a-z]/)[0]?.trim() || title;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
