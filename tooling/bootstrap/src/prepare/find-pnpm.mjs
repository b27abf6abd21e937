import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../failure.mjs';
import { offlineReason } from './offline.mjs';
import { runCommand } from './run-command.mjs';

/** Two more tries within seconds: without a network the sentence comes soon, and a stumble is still forgiven. */
const RETRIES = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=3000'];

/**
 * The npm that brings pnpm: the one that runs this script, else the one on the PATH.
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ command: string, args: string[] }}
 */
export function npmCommand(env) {
  const path = env['npm_execpath'];
  if (path !== undefined && basename(path) === 'npm-cli.js' && existsSync(path)) {
    return { command: process.execPath, args: [path] };
  }
  return { command: 'npm', args: [] };
}

/**
 * Fetches pnpm through npm (from its cache, when it was here before) and says where it is.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {string} wanted for instance `pnpm@12.21.0`.
 * @returns {Promise<string>} the folder that holds the `pnpm` program.
 * @throws {Failure} without npm, without a network, or when npm fails.
 */
export async function findPnpm(root, env, wanted) {
  const npm = npmCommand(env);
  const args = [
    ...npm.args,
    'exec',
    '--yes',
    '--prefer-offline',
    ...RETRIES,
    `--package=${wanted}`,
    '-c',
    'command -v pnpm',
  ];
  const result = await runCommand(npm.command, args, { cwd: root, env });
  if (result.missing) {
    throw new Failure(`npm was not found on the PATH: install npm (it comes with Node) and try again.`);
  }
  const path = result.output.split('\n').findLast((line) => line.startsWith('/') && line.trim().endsWith('pnpm'));
  if (result.code === 0 && path !== undefined) return dirname(path.trim());
  throw new Failure(offlineReason(result.output) ?? `npm could not bring ${wanted}: ${lastErrorLine(result.output)}.`);
}

/**
 * @param {string} root
 * @returns {string} for instance `pnpm@12.21.0`.
 */
export function packageManager(root) {
  /** @type {{ packageManager?: string }} */
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return manifest.packageManager ?? 'pnpm';
}

/**
 * The last line of a tool's output that reads like an error, else the last line at all.
 * @param {string} output
 * @returns {string}
 */
export function lastErrorLine(output) {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/complete log of this run|npm (warn|notice)|_logs/i.test(line));
  const line =
    lines.findLast((candidate) => /ERR_|error|EACCES|EROFS|ENOSPC/i.test(candidate)) ??
    lines.at(-1) ??
    'it said nothing';
  return line.replace(/[.\s]+$/, '');
}
