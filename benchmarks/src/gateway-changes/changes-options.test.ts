import { describe, expect, it } from 'vitest';
import { OptionError } from '../gateway/bench-options.ts';
import { parseChangesOptions } from './changes-options.ts';

describe('parseChangesOptions', () => {
  it('has defaults', () => {
    expect(parseChangesOptions([])).toEqual({ routes: [1000, 100_000], cycles: 40, connections: 4 });
  });

  it('takes every option', () => {
    const args = ['--routes', '10,20', '--cycles=3', '--connections', '8'];
    expect(parseChangesOptions(args)).toEqual({ routes: [10, 20], cycles: 3, connections: 8 });
  });

  it.each([
    ['no routes', ['--routes', '0'], '--routes'],
    ['text among the routes', ['--routes', '10,many'], 'many'],
    ['too many connections', ['--connections', '257'], '1 to 256'],
    ['an unknown option', ['--requests', '9'], '--requests'],
  ])('refuses %s', (_case, args, why) => {
    expect(() => parseChangesOptions(args)).toThrow(OptionError);
    expect(() => parseChangesOptions(args)).toThrow(why);
  });
});
