import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));

describe('README', () => {
  it('shows an example that runs and prints what it says', async () => {
    const text = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const example = /```ts\n([^`]*)```/.exec(text)?.[1] ?? '';
    const args = ['--conditions=@portcullis/source', '--input-type=module-typescript', '--eval', example];
    const printed = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect(printed).toContain('gateways');
    expect(printed).toContain('true 0');
  });
});
