import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startProcess } from '@portcullis/testkit';
import type { SdkFile } from '../../target.ts';

/** Writes a library below a folder. */
export function writeFiles(folder: string, files: readonly SdkFile[]): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Whether a program is there, so that tests that need it can be skipped by name. */
export function hasProgram(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Runs a program to its end beside this process, which may be the server that it calls. What it prints, and its code where it fails. */
export async function outputOf(
  cwd: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  await using child = await startProcess({ command, args, cwd, env });
  const { code } = await child.exited;
  const output = child.stdout();
  return code === 0 ? output : `${output}\n${child.stderr()}\ncode ${String(code)}`;
}
