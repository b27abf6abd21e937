import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from '../run-tool.ts';
import { readReport, type TestOutcome } from './vitest-report.ts';

/** Runs every test of the repository in one vitest run, shown as it goes. */
export async function runTests(root: string, projects: readonly string[]): Promise<TestOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-report-'));
  const file = join(folder, 'report.json');
  try {
    const { code } = await runTool(
      root,
      'vitest',
      [
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${file}`,
        ...projects.map((project) => `--project=${project}`),
      ],
      { show: true },
    );
    return readReport(existsSync(file) ? await readFile(file, 'utf8') : undefined, code);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
