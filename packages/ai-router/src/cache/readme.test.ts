import { expect, it } from 'vitest';
import { printedBySection } from '../readme-section.test-support.ts';

it('the README’s example of a cache prints what the README says', async () => {
  const { exit, stderr, stdout, printed } = await printedBySection('Cache');
  expect([exit.code, stderr, stdout]).toEqual([0, '', printed]);
});
