import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandFailure } from './failure.ts';

/** Asks on the terminal for a text that is not shown. @throws CommandFailure where there is no terminal, or on Ctrl-C */
export async function promptHidden(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new CommandFailure('there is no terminal to ask for the password: give --password-stdin');
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      reader.once('line', resolve);
      reader.once('SIGINT', () => reject(new CommandFailure('interrupted')));
      reader.once('close', () => reject(new CommandFailure('no password was given')));
    });
  } finally {
    reader.close();
    process.stderr.write('\n');
  }
}
