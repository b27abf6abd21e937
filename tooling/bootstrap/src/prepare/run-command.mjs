import { spawn } from 'node:child_process';

/** Output kept of a command: enough for an error, bounded for a command that floods. */
const KEPT_CHARACTERS_MAX = 1024 * 1024;

/**
 * How a command ended. `code` is null when a signal ended it; `missing` when the program is not there.
 * @typedef {{ readonly code: number | null, readonly output: string, readonly missing: boolean }} CommandResult
 */

/**
 * Runs a command to its end and gives what it printed on both streams.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, show?: boolean }} options `show` passes the output on to the terminal
 * instead of keeping it.
 * @returns {Promise<CommandResult>} also when the program is missing or fails; never rejects.
 */
export function runCommand(command, args, { cwd, env, show = false }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    });
    let output = '';
    /** @param {Buffer} chunk */
    const keep = (chunk) => {
      output = (output + chunk.toString('utf8')).slice(-KEPT_CHARACTERS_MAX);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      resolve({ code: null, output: error.message, missing: error.code === 'ENOENT' });
    });
    child.once('close', (code) => resolve({ code, output, missing: false }));
  });
}
