import { expect, it } from 'vitest';
import { printedBySection } from '../readme-section.test-support.ts';

it('the README’s example of routes, policies and limits prints what the README says', async () => {
  const { exit, stderr, stdout, printed } = await printedBySection('Routes, policies and limits by themselves');
  expect([exit.code, stderr, stdout]).toEqual([0, '', printed]);
});
