import { expect, it } from 'vitest';
import { inTurns, recordsPerTurn } from './in-turns.ts';

it('gives every item once, and others their turn in between', async () => {
  const events: (number | 'other')[] = [];
  const wanted = Array.from({ length: 2 * recordsPerTurn + 1 }, (_, index) => index);
  let isOver = false;
  const other = (): void => {
    if (isOver) return;
    events.push('other');
    setImmediate(other);
  };
  setImmediate(other);
  for await (const item of inTurns(wanted)) events.push(item);
  isOver = true;
  expect(events.filter((event) => event !== 'other')).toEqual(wanted);
  expect(events.slice(0, recordsPerTurn)).not.toContain('other');
  expect(events.slice(recordsPerTurn, recordsPerTurn + 2)).toEqual(['other', recordsPerTurn]);
  expect(events.slice(-2)).toEqual(['other', 2 * recordsPerTurn]);
});
