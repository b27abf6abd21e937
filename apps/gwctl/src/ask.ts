import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandFailure, exitCodes } from './failure.ts';

/**
 * Asks on the terminal. @param hidden whether what is typed is not shown
 * @throws CommandFailure where there is no terminal, or on Ctrl-C
 */
export async function ask(question: string, { hidden }: { readonly hidden: boolean }): Promise<string> {
  if (!process.stdin.isTTY)
    throw new CommandFailure('there is no terminal to ask for the password: give --password-stdin');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true });
  if (hidden) process.stderr.write(question);
  else {
    reader.setPrompt(question);
    reader.prompt();
  }
  try {
    return await new Promise<string>((resolve, reject) => {
      reader.once('line', resolve);
      reader.once('SIGINT', () => reject(new CommandFailure('interrupted', [], exitCodes.interrupted)));
      reader.once('close', () => reject(new CommandFailure('nothing was given')));
    });
  } finally {
    reader.close();
    if (hidden) process.stderr.write('\n');
  }
}
