import { describe, expect, it } from 'vitest';
import { parseConfigOptions } from './options.ts';

describe('options of the config benchmark', () => {
  it('have defaults, and sizes in ascending order', () => {
    expect(parseConfigOptions([])).toMatchObject({ sizes: [1000, 10_000, 100_000], databases: ['sqlite', 'postgres'] });
    expect(parseConfigOptions(['--sizes', '500,200']).sizes).toEqual([200, 500]);
    expect(parseConfigOptions(['--databases', 'none', '--skip-library'])).toMatchObject({
      databases: [],
      library: false,
    });
  });

  it.each([
    [['--sizes', '1']],
    [['--sizes', 'x']],
    [['--databases', 'oracle']],
    [['--bogus']],
    [['--repetitions', '0']],
  ])('refuses %j', (args) => {
    expect(() => parseConfigOptions(args)).toThrow(/--/);
  });
});
