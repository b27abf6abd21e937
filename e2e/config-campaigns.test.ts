import { fileURLToPath } from 'node:url';
import { startProcess } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const runner = `${root}tooling/campaigns/src/main.ts`;
const postgres = process.env['PORTCULLIS_TEST_POSTGRES_URL'];

/** Only a machine that hangs takes as long. */
const timeoutMs = 600_000;

/** Runs a campaign as a user does, and gives its last line. */
async function campaign(...args: readonly string[]) {
  await using running = await startProcess({
    args: ['--conditions=@portcullis/source', runner, ...args],
    env: postgres === undefined ? {} : { PORTCULLIS_TEST_POSTGRES_URL: postgres },
    cwd: root,
  });
  const { code } = await running.exited;
  const printed = running.stdout();
  return { code, printed: printed + running.stderr(), result: JSON.parse(printed.trim().split('\n').at(-1) ?? '') };
}

describe('slices of the campaigns, against the built control plane', () => {
  it(
    'a control plane that is killed while it applies configuration has the old state or the new one',
    async () => {
      const { code, printed, result } = await campaign('config-kills', '--rounds', '2', '--seed', '6');
      expect(code, printed).toBe(0);
      expect(result.figures.kills).toBeGreaterThanOrEqual(2);
      expect(result.figures.old_state + result.figures.new_state).toBe(result.figures.kills);
    },
    timeoutMs,
  );

  it(
    'random bundles come back as they went',
    async () => {
      const { code, printed, result } = await campaign('config-bundles', '--rounds', '6', '--seed', '5');
      expect(code, printed).toBe(0);
      const rounds: Record<string, number> = result.figures.rounds;
      expect(Object.values(rounds).reduce((sum, count) => sum + count, 0)).toBe(6);
      expect(result.figures.records).toBeGreaterThan(6);
    },
    timeoutMs,
  );

  it('a round that fails is named with the way to repeat it', async () => {
    const { code, result } = await campaign(
      ...['config-bundles', '--rounds', '1', '--seed', '7', '--databases', 'sqlite', '--admin-api', 'not-there.js'],
    );
    expect(code).toBe(1);
    expect(result).toMatchObject({
      ok: false,
      repeat: 'npm run campaign config-bundles -- --seed 7 --first 0 --rounds 1 --databases sqlite',
    });
  });
});
