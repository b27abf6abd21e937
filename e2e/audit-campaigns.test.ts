import { fileURLToPath } from 'node:url';
import { startProcess } from '@portcullis/testkit';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const postgres = process.env['PORTCULLIS_TEST_POSTGRES_URL'];
/** Only a machine that hangs takes as long. */
const timeoutMs = 600_000;

it(
  'a slice of the campaign: a control plane that is killed during writes has each write with its record, and a whole log',
  async () => {
    const runner = `${root}tooling/campaigns/src/main.ts`;
    await using running = await startProcess({
      args: ['--conditions=@portcullis/source', runner, 'audit-kills', '--rounds', '6', '--seed', '3'],
      env: postgres === undefined ? {} : { PORTCULLIS_TEST_POSTGRES_URL: postgres },
      cwd: root,
    });
    const { code } = await running.exited;
    expect(code, running.stdout() + running.stderr()).toBe(0);
    const { figures } = JSON.parse(running.stdout().trim().split('\n').at(-1) ?? '');
    expect(figures.kills).toBe(6);
    expect(figures.records).toBeGreaterThan(0);
  },
  timeoutMs,
);
