#!/usr/bin/env node
import { CommanderError } from 'commander';
import { completeWord } from './completion/complete-word.ts';
import { CommandFailure, exitCodes } from './failure.ts';
import { endOnInterrupt } from './interruption.ts';
import { buildProgram } from './program/program.ts';

// A reader such as `head` that has seen enough is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done);
  process.stderr.write(`gwctl: the output cannot be written (${error.code ?? error.message})\n`);
  process.exit(exitCodes.failed);
});

endOnInterrupt();

// No top-level await: the executable is one CommonJS file, which knows none.
void run().catch(async (error: unknown) => {
  process.exitCode = await exitCodeOf(error);
});

async function run(): Promise<void> {
  const program = buildProgram((exitCode) => (process.exitCode = exitCode));
  const [first, ...words] = process.argv.slice(2);
  if (first === undefined) program.outputHelp();
  else if (first === completeWord) await (await import('./completion/complete.ts')).complete(program, words);
  else await program.parseAsync();
}

/** Says what went wrong, unless that was said already, and gives the exit code. Bugs keep their stack. */
async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode;
  if (!(error instanceof CommandFailure)) throw error;
  const { printMessage } = await import('./output/messages.ts');
  for (const line of [`gwctl: ${error.message}`, ...error.lines]) printMessage(line);
  return error.exitCode;
}
