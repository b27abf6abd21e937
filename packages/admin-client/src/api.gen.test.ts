import { fileURLToPath } from 'node:url';
import { startProcess } from '@portcullis/testkit';
import { expect, it } from 'vitest';

it('the types are made from the description that the control plane commits', async () => {
  const script = fileURLToPath(new URL('../scripts/generate.mjs', import.meta.url));
  const child = await startProcess({ args: [script, '--check'] });
  expect([(await child.exited).code, child.stderr()]).toEqual([0, '']);
});
