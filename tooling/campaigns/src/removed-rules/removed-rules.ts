import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '@portcullis/testkit';
import { CampaignFailure, OptionError, type Campaign, type Figures } from '../campaign.ts';
import { REMOVED_RULE } from './removed-rule.ts';
import type { Rule } from './rule.ts';
import { rules } from './rules.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** For the tests of one rule, in milliseconds; ten times what the slowest takes by itself. */
const runMs = 1_200_000;

/** For tests that never end without their rule, in milliseconds: how long they take with it, many times over. */
const endlessMs = 180_000;

/** Longest part of a failure that is shown, in characters. */
const shownMax = 240;

/** Takes each rule of docs/security.md out of its source, and sees its test fail. */
export const removedRules: Campaign = {
  name: 'removed-rules',
  summary: 'every rule of docs/security.md is taken out in turn, and its test fails',
  options: `  --only TEXT (rules whose file or test has it; default: all ${rules.length})`,
  run,
};

async function run(args: readonly string[]): Promise<Figures> {
  const only = readOnly(args);
  const chosen = rules.filter(({ edits, test, title }) =>
    [test, title, ...edits.map(({ file }) => file)].some((text) => text.includes(only)),
  );
  if (chosen.length === 0) throw new OptionError(`--only ${only}: no rule has it`);
  const kept: string[] = [];
  for (const rule of chosen) {
    // Vitest takes both processors.
    // oxlint-disable-next-line no-await-in-loop -- see above
    const { isMissed, text } = await withoutIt(rule);
    console.log(`${isMissed ? 'fails' : 'PASSES'} without its rule: ${rule.test}, ${rule.only ?? rule.title}`);
    // Whoever reads it sees whether it is the rule that is missed, or something else that broke.
    console.log(`  ${text}`);
    if (!isMissed) kept.push(`${rule.test}: ${rule.title}`);
  }
  if (kept.length > 0) {
    throw new CampaignFailure(`tests that do not miss their rule:\n${kept.join('\n')}`, removedRules.name);
  }
  return { rules: chosen.length, missed: chosen.length };
}

function readOnly(args: readonly string[]): string {
  try {
    return parseArgs({ args: [...args], options: { only: { type: 'string' } } }).values.only ?? '';
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}

/** Whether a rule's test missed it, and how that was seen. */
interface Outcome {
  readonly isMissed: boolean;
  readonly text: string;
}

async function withoutIt(rule: Rule): Promise<Outcome> {
  await using folder = await temporaryFolder();
  const report = folder.join('report.json');
  const name = rule.only ?? escaped(beginningOf(rule.title));
  const options = [
    ...['node_modules/vitest/vitest.mjs', 'run', rule.test, '--testNamePattern', name],
    ...['--config', 'tooling/campaigns/src/removed-rules/vitest.config.ts'],
    ...['--reporter', 'json', '--outputFile', report],
  ];
  const env = { ...process.env, [REMOVED_RULE]: JSON.stringify(rule) };
  const withinMs = rule.neverEnds ? endlessMs : runMs;
  // A machine that is too slow must not count for a rule that is missed.
  if (!(await ended(options, env, withinMs)))
    return { isMissed: rule.neverEnds === true, text: `it had to be ended after ${withinMs / 1000} s` };
  const { testResults: files } = await reportIn(report);
  const results = files.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.find(({ status }) => status === 'failed');
  if (failed !== undefined) {
    return { isMissed: true, text: (failed.failureMessages[0] ?? '').replaceAll(/\s+/g, ' ').slice(0, shownMax) };
  }
  const passed = results.filter(({ status }) => status === 'passed').length;
  return { isMissed: false, text: `of the tests named ${name}, ${passed} passed` };
}

/** Where Vitest breaks off, there is none. */
async function reportIn(path: string): Promise<Report> {
  const text = await readFile(path, 'utf8').catch(() => '{"testResults":[]}');
  return JSON.parse(text) as Report;
}

/** What is read of a report of Vitest. */
interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly failureMessages: readonly string[] }[];
  }[];
}

/** Runs Node in a group of its own, which is ended whole: a test may block its process for good. @returns whether it ended by itself */
async function ended(options: readonly string[], env: NodeJS.ProcessEnv, withinMs: number): Promise<boolean> {
  const child = spawn(process.execPath, options, { cwd: root, env, stdio: 'ignore', detached: true });
  const end = (): void => void process.kill(-(child.pid ?? 0), 'SIGKILL');
  const timer = setTimeout(end, withinMs);
  process.once('exit', end);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('exit', end);
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
