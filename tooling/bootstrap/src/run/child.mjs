import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { Failure } from '../failure.mjs';

const GUARD = new URL('./die-with-runner.mjs', import.meta.url).href;

/** Characters of a log line that a sentence may carry. */
const QUOTED_MAX = 300;

/**
 * A running child.
 * @typedef {object} Child
 * @property {string} name starts a sentence: "The gateway".
 * @property {Promise<string>} ended resolves with a sentence's middle ("exit code 1", "signal SIGKILL") when it ended.
 * @property {() => boolean} running
 * @property {(signal: NodeJS.Signals) => void} signal does nothing once it ended.
 * @property {() => Failure} failure what to print when it ended by itself.
 */

/**
 * Starts a child whose whole output goes to a file, which is emptied first. It is in a process group of its own: Ctrl-C
 * in the terminal reaches only the runner, which then stops the children in order.
 * @param {{ name: string, node: string, script: string, cwd: string, env: NodeJS.ProcessEnv, logFile: string }} options
 * @returns {Child}
 */
export function startChild({ name, node, script, cwd, env, logFile }) {
  const log = openSync(logFile, 'w', 0o600);
  const child = spawn(node, ['--import', GUARD, script], {
    cwd,
    env: { ...env, PORTCULLIS_RUNNER_PID: String(process.pid) },
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
  });
  closeSync(log);
  let how = '';
  const ended = new Promise((/** @type {(how: string) => void} */ resolve) => {
    child.once('error', (error) => resolve((how = error.message)));
    child.once('exit', (code, signal) => resolve((how = signal === null ? `exit code ${code}` : `signal ${signal}`)));
  });
  return {
    name,
    ended,
    running: () => how === '',
    signal: (signal) => {
      if (how === '') child.kill(signal);
    },
    failure: () =>
      new Failure(`${name} stopped unexpectedly (${how}): ${lastLogLine(logFile)} (its log is ${logFile}).`),
  };
}

/**
 * The last thing a log says, in words: the message of a JSON line, or the line.
 * @param {string} logFile
 * @returns {string}
 */
export function lastLogLine(logFile) {
  const lines = readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  // After a crash the error's own line stands above its stack and its properties.
  const afterLog = lines.slice(lines.findLastIndex(isJson) + 1);
  const line =
    afterLog.findLast((candidate) => /^(?:Uncaught )?\w*(?:Error|Exception)\b.*: /.test(candidate)) ?? lines.at(-1);
  if (line === undefined) return 'it logged nothing';
  return inWords(line)
    .trim()
    .slice(0, QUOTED_MAX)
    .replace(/[.\s]+$/, '');
}

/**
 * @param {string} line
 * @returns {string}
 */
function inWords(line) {
  if (!isJson(line)) return line;
  /** @type {{ msg?: unknown, err?: { message?: unknown } }} */
  const { msg, err } = JSON.parse(line);
  return [msg, err?.message].filter((part) => typeof part === 'string' && part !== '').join(': ') || line;
}

/**
 * @param {string} line
 * @returns {boolean}
 */
function isJson(line) {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}
