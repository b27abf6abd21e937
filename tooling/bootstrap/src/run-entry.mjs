import { fileURLToPath } from 'node:url';
import { Failure, messageOf } from './failure.mjs';

/**
 * What every command works with: this repository, the user's environment, and the terminal.
 * @returns {import('./prepare/prepare.mjs').PrepareContext}
 */
export function commandContext() {
  // A terminal that closed, or an npm that was killed, must not keep children from being stopped in order.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
  return { root, env: process.env, say: (line) => console.log(line) };
}

/**
 * Runs the body of a command and sets the exit code. A `Failure` is printed as its sentence; anything else is a bug of
 * ours and is said to be one, still without a stack unless `PORTCULLIS_DEBUG` is set.
 * @param {() => Promise<number>} body gives the exit code.
 */
export async function runEntry(body) {
  try {
    process.exitCode = await body();
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof Failure) console.error(`\n${error.message}`);
    else console.error(`\nThis is a bug in Portcullis' own scripts: ${messageOf(error)}.`);
    if (process.env['PORTCULLIS_DEBUG'] !== undefined) console.error(error);
  }
}
