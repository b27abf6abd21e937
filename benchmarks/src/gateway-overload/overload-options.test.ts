import { describe, expect, it } from 'vitest';
import { OptionError } from '../gateway/bench-options.ts';
import { parseOverloadOptions } from './overload-options.ts';

describe('parseOverloadOptions', () => {
  it('has defaults', () => {
    expect(parseOverloadOptions([])).toEqual({
      mode: 'plain',
      times: 3,
      seconds: 10,
      connections: 2000,
      workUs: 300,
      gateway: undefined,
    });
  });

  it('takes every option', () => {
    const args = [
      '--mode',
      'policies',
      '--times=1.5',
      '--seconds',
      '4',
      '--connections',
      '200',
      '--work-us=5',
      '--gateway',
      'x.js',
    ];
    expect(parseOverloadOptions(args)).toEqual({
      mode: 'policies',
      times: 1.5,
      seconds: 4,
      connections: 200,
      workUs: 5,
      gateway: 'x.js',
    });
  });

  it.each([
    ['another mode', ['--mode', 'fast'], '--mode'],
    ['no load', ['--times', '0'], '--times'],
    ['text as a number', ['--seconds', 'many'], 'many'],
    ['an unknown option', ['--requests', '9'], '--requests'],
  ])('refuses %s', (_case, args, why) => {
    expect(() => parseOverloadOptions(args)).toThrow(OptionError);
    expect(() => parseOverloadOptions(args)).toThrow(why);
  });
});
