import { expect, it } from 'vitest';
import { textTable } from './table.ts';

it('puts names to the left, figures to the right and cuts nothing', () => {
  const table = textTable(
    ['peer', 'RPS'],
    [
      ['minimal, plain', '12,345'],
      ['gateway', '9'],
    ],
  );
  expect(table).toBe(
    ['peer               RPS', '--------------  ------', 'minimal, plain  12,345', 'gateway              9'].join('\n'),
  );
});

it('fills short rows up', () => {
  expect(textTable(['a', 'b'], [['x']])).toBe('a  b\n-  -\nx');
});
