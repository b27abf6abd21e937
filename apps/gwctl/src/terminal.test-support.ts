import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { gwctlArgs } from './built-gwctl.test-support.ts';

/** Whether this machine can give a process a terminal: `script` of util-linux. */
export const hasTerminals: boolean = process.platform === 'linux' && existsSync('/usr/bin/script');

/**
 * Runs a shell command on a terminal of its own; `gwctl` in it is gwctl from its source.
 * @param answer what to type when something was printed: gets all of it, gives a text or nothing
 * @returns everything that the terminal showed
 */
export async function onTerminal(
  command: string,
  env: Readonly<Record<string, string>>,
  answer: (shown: string) => string | undefined = () => undefined,
): Promise<string> {
  const program = [process.execPath, ...gwctlArgs].map((word) => `'${word}'`).join(' ');
  const script = `gwctl() { ${program} "$@"; }; ${command}`;
  const child = spawn('/usr/bin/script', ['-qec', `sh -c '${script.replaceAll("'", String.raw`'\''`)}'`, '/dev/null'], {
    env: { PATH: process.env['PATH'], TERM: 'xterm-256color', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString('utf8');
    const typed = answer(shown);
    if (typed !== undefined) child.stdin.write(typed);
  });
  await new Promise((resolve) => child.once('close', resolve));
  return shown;
}
