import { fileURLToPath } from 'node:url';
import { startProcess } from '@portcullis/testkit';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Only a machine that hangs takes as long. */
const timeoutMs = 600_000;

it(
  'a slice of the campaign: requests through eight plugins leave nothing behind, and no record is lost unsaid',
  async () => {
    const runner = `${root}tooling/campaigns/src/main.ts`;
    await using running = await startProcess({
      args: ['--conditions=@portcullis/source', runner, 'plugin-soak', '--requests', '10000'],
      env: {},
      cwd: root,
    });
    const { code } = await running.exited;
    expect(code, running.stdout() + running.stderr()).toBe(0);
    const { figures } = JSON.parse(running.stdout().trim().split('\n').at(-1) ?? '');
    expect(figures.requests).toBe(10_000);
    expect(figures.records.http + figures.records.tcp + figures.records.dropped).toBeGreaterThanOrEqual(20_000);
  },
  timeoutMs,
);
