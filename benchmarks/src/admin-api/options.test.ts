import { describe, expect, it } from 'vitest';
import { OptionError } from '../gateway/bench-options.ts';
import { adminOptionHelp, parseAdminOptions } from './options.ts';

describe('options of admin-api', () => {
  it('have defaults, and take what is given', () => {
    expect(parseAdminOptions([])).toEqual({
      repetitions: 5,
      operations: 2000,
      routes: 100_000,
      pages: 40,
      databases: ['sqlite', 'postgres'],
      adminApi: undefined,
    });
    expect(parseAdminOptions(['--routes', '500', '--databases', 'sqlite', '--admin-api=x/main.js'])).toMatchObject({
      routes: 500,
      databases: ['sqlite'],
      adminApi: 'x/main.js',
    });
  });

  it.each([
    [['--routes', '99'], 'from 100 to 1000000, not 99'],
    [['--operations', '1.5'], 'from 16 to 100000'],
    [['--databases', 'mysql'], 'sqlite and postgres'],
    [['--databases', 'sqlite,sqlite'], 'not sqlite,sqlite'],
    [['--gateway', 'x'], '--gateway'],
    [['more'], 'more'],
  ])('%j is refused', (args, message) => {
    expect(() => parseAdminOptions(args)).toThrow(OptionError);
    expect(() => parseAdminOptions(args)).toThrow(message);
  });

  it('are all in the help', () => {
    const named = [...adminOptionHelp.matchAll(/--([a-z-]+)/g)].map(([, name]) => name);
    expect(named).toEqual(['repetitions', 'operations', 'routes', 'pages', 'databases', 'admin-api']);
  });
});
