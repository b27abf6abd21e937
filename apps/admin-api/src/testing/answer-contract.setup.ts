import { afterEach } from 'vitest';
import { takeViolations } from './answer-contract.test-support.ts';

afterEach(() => {
  const found = takeViolations();
  if (found.length > 0) throw new Error(`answers that the API description does not declare:\n${found.join('\n')}`);
});
