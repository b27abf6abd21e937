import { expect, it } from 'vitest';
import { oneAhead } from './one-ahead.ts';

/** Numbers that note when they are made and when nobody wants more. */
async function* numbers(notes: string[], failsAt = Number.POSITIVE_INFINITY): AsyncGenerator<number, void> {
  try {
    for (let number = 1; number <= 3; number += 1) {
      await Promise.resolve();
      if (number === failsAt) throw new Error(`no ${number}`);
      notes.push(`made ${number}`);
      yield number;
    }
  } finally {
    notes.push('closed');
  }
}

/** Takes all, with some time for each. */
async function take(items: Parameters<typeof oneAhead<number>>[0], notes: string[], max = 9): Promise<void> {
  for await (const number of oneAhead(items)) {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    notes.push(`took ${number}`);
    if (number === max) return;
  }
}

it('makes the next item while one is taken, and never two', async () => {
  const notes: string[] = [];
  await take(numbers(notes), notes);
  expect(notes).toEqual(['made 1', 'made 2', 'took 1', 'made 3', 'took 2', 'closed', 'took 3']);
});

it('gives what is made already in its order', async () => {
  const notes: string[] = [];
  await take([1, 2, 3], notes);
  expect(notes).toEqual(['took 1', 'took 2', 'took 3']);
  await take([], notes);
  expect(notes).toHaveLength(3);
});

it('fails where the making fails, after all that came before', async () => {
  const notes: string[] = [];
  await expect(take(numbers(notes, 2), notes)).rejects.toThrow('no 2');
  expect(notes).toEqual(['made 1', 'closed', 'took 1']);
});

it('ends the making when nobody takes any more', async () => {
  const notes: string[] = [];
  await take(numbers(notes), notes, 1);
  expect(notes).toEqual(['made 1', 'made 2', 'took 1', 'closed']);
});
