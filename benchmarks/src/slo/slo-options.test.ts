import { expect, it } from 'vitest';
import { OptionError } from '../gateway/bench-options.ts';
import { parseSloOptions } from './slo-options.ts';

it('takes the numbers of the goals unless others are given', () => {
  const initial = { seconds: 60, rate: 10_000, turns: 7, objectives: 1000, databases: ['sqlite', 'postgres'] };
  expect(parseSloOptions([])).toEqual(initial);
  expect(parseSloOptions(['--seconds', '5', '--databases', 'sqlite'])).toEqual({
    ...initial,
    seconds: 5,
    databases: ['sqlite'],
  });
});

it('refuses what it does not know', () => {
  for (const args of [['--seconds', '0'], ['--rate', '1.5'], ['--databases', 'mysql'], ['--speed', '1'], ['more']]) {
    expect(() => parseSloOptions(args)).toThrow(OptionError);
  }
});
