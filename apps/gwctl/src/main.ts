#!/usr/bin/env node
import { CommanderError } from 'commander';
import { CommandFailure, exitCodes } from './failure.ts';
import { printMessage } from './output/terminal.ts';
import { buildProgram } from './program.ts';

// A reader such as `head` that has seen enough is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done);
  printMessage(`gwctl: the output cannot be written (${error.code ?? error.message})`);
  process.exit(exitCodes.failed);
});

try {
  const program = buildProgram((exitCode) => (process.exitCode = exitCode));
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** Says what went wrong, unless that was said already, and gives the exit code. Bugs keep their stack. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode;
  if (!(error instanceof CommandFailure)) throw error;
  for (const line of [`gwctl: ${error.message}`, ...error.lines]) printMessage(line);
  return exitCodes.failed;
}
