import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { Failure } from '../failure.mjs';

const GUARD = new URL('./die-with-runner.mjs', import.meta.url).href;

/** Levels of log lines from which on one may be why a program ended. */
const ERROR_LEVEL = 50;

/** The line of a crash that says why. */
const errorLine = /^(?:FATAL ERROR|(?:Uncaught )?\w*(?:Error|Exception)\b.*): /;

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
    failure: () => {
      const reason = reasonInLog(logFile);
      const said = reason === undefined ? '' : `: ${reason}`;
      return new Failure(`${name} stopped unexpectedly (${how})${said} (its log is ${logFile}).`);
    },
  };
}

/**
 * What a log gives as the reason of its program's end, in words: the message of a last line that tells of an error, or what stands
 * after the last line. A program that was killed has said nothing of it.
 * @param {string} logFile
 * @returns {string | undefined}
 */
export function reasonInLog(logFile) {
  const lines = readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const last = lines.at(-1);
  if (last === undefined) return 'it logged nothing';
  // After a crash the error's own line stands above its stack and its properties.
  const afterLog = lines.slice(lines.findLastIndex(isJson) + 1);
  const line = afterLog.findLast((candidate) => errorLine.test(candidate)) ?? last;
  if (isJson(line) && !tellsOfError(line)) return undefined;
  return inWords(line)
    .trim()
    .slice(0, QUOTED_MAX)
    .replace(/[.\s]+$/, '');
}

/**
 * @param {string} line JSON
 * @returns {boolean}
 */
function tellsOfError(line) {
  /** @type {{ level?: unknown }} */
  const { level } = JSON.parse(line);
  return typeof level === 'number' ? level >= ERROR_LEVEL : level === 'error' || level === 'fatal';
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
