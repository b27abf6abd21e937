import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Prometheus's own checker; Debian's package `prometheus` has it. */
export const hasPromtool: boolean = spawnSync('promtool', ['--version']).status === 0;

/** What promtool says of a rules file: its exit code and its words. */
export function checkRules(text: string): { code: number | null; output: string } {
  return run(['check', 'rules'], { 'rules.yml': text });
}

/** Runs promtool's unit tests of a rules file. */
export function testRules(rules: string, tests: string): { code: number | null; output: string } {
  return run(['test', 'rules'], { 'tests.yml': tests, 'rules.yml': rules });
}

function run(
  args: readonly string[],
  files: Readonly<Record<string, string>>,
): { code: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'promtool-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const [first = ''] = Object.keys(files);
    const { status, stdout, stderr } = spawnSync('promtool', [...args, join(folder, first)], { encoding: 'utf8' });
    return { code: status, output: `${stdout}${stderr}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
