import { expect, it } from 'vitest';
import { CampaignFailure } from './campaign.ts';
import { parseOptions } from './options.ts';
import { runRounds } from './run-rounds.ts';

const options = parseOptions(['--rounds', '5', '--seed', '3', '--databases', 'sqlite'], {
  rounds: 1,
  operations: ['sync'],
});

it('runs each round once, each with what its index and the seed decide', async () => {
  const draws = async (): Promise<number[]> => {
    const seen: number[] = [];
    expect(await runRounds('some', options, async ({ random }) => void seen.push(random.next()))).toMatchObject({
      sqlite: 5,
    });
    return seen;
  };
  const first = await draws();
  expect(new Set(first).size).toBe(5);
  expect(await draws()).toEqual(first);
});

it('ends with the first round that fails, and says how to repeat it', async () => {
  const ran: number[] = [];
  const running = runRounds('some', options, async ({ index }) => {
    ran.push(index);
    if (index === 2) throw new Error('what was found');
  });
  const failure = await running.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CampaignFailure);
  expect(failure).toMatchObject({
    message: expect.stringContaining('what was found') as string,
    repeat: 'some --seed 3 --first 2 --rounds 1 --databases sqlite --operations sync',
  });
  expect(ran).toEqual([0, 1, 2]);
});
