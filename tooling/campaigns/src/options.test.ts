import { describe, expect, it } from 'vitest';
import { OptionError } from './campaign.ts';
import { optionHelp, parseOptions } from './options.ts';

const defaults = { rounds: 200, operations: ['sync', 'import'] };

describe('options of a campaign', () => {
  it('have defaults, and take what is given', () => {
    expect(parseOptions([], defaults)).toMatchObject({
      rounds: 200,
      first: 0,
      minutes: 60,
      seed: 1,
      databases: ['sqlite', 'postgres'],
      operations: ['sync', 'import'],
    });
    const given = ['--seed', '7', '--databases', 'sqlite', '--operations=import', '--admin-api', 'x/main.js'];
    expect(parseOptions(given, defaults)).toMatchObject({
      seed: 7,
      databases: ['sqlite'],
      operations: ['import'],
      adminApi: 'x/main.js',
    });
  });

  it('go on until the time is over when only that is given', () => {
    expect(parseOptions(['--minutes', '5'], defaults)).toMatchObject({ minutes: 5, rounds: 1_000_000 });
    expect(parseOptions(['--minutes', '5', '--rounds', '3'], defaults)).toMatchObject({ minutes: 5, rounds: 3 });
  });

  it.each([
    [['--rounds', '0'], 'from 1 to 1000000, not 0'],
    [['--seed', '1.5'], 'from 0 to 2147483647'],
    [['--databases', 'mysql'], 'sqlite, postgres'],
    [['--operations', 'sync,sync'], 'not sync,sync'],
    [['--loops', '1'], '--loops'],
    [['more'], 'more'],
  ])('%j is refused', (args, message) => {
    expect(() => parseOptions(args, defaults)).toThrow(OptionError);
    expect(() => parseOptions(args, defaults)).toThrow(message);
  });

  it('are all in the help', () => {
    const help = optionHelp(defaults);
    const named = [...help.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name]) => name);
    expect(named).toEqual(['minutes', 'rounds', 'seed', 'first', 'databases', 'operations', 'admin-api']);
  });
});
