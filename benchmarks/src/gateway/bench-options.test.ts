import { describe, expect, it } from 'vitest';
import { OptionError, parseBenchOptions } from './bench-options.ts';
import { peerNames } from './peer-list.ts';

describe('parseBenchOptions', () => {
  it('has defaults', () => {
    expect(parseBenchOptions([])).toEqual({
      repetitions: 5,
      requests: 60_000,
      connections: 64,
      warmUp: 15_000,
      gateway: undefined,
      peers: peerNames,
    });
  });

  it('takes every option, in both spellings', () => {
    const args = ['--repetitions=3', '--requests', '500', '--connections', '8', '--warm-up', '9', '--gateway', 'm.js'];
    const expected = { repetitions: 3, requests: 500, connections: 8, warmUp: 9, gateway: 'm.js' };
    const peers = ['gateway', 'nginx + Lua'];
    expect(parseBenchOptions([...args, '--peers', 'gateway, nginx + Lua'])).toEqual({ ...expected, peers });
  });

  it.each([
    ['an unknown option', ['--speed', '9'], '--speed'],
    ['a word too many', ['fast'], 'fast'],
    ['none', ['--requests', '0'], '1 to 2000000'],
    ['a fraction', ['--repetitions', '1.5'], '1 to 99'],
    ['more connections than a peer takes', ['--connections', '1001'], '1 to 1000'],
    ['a peer that is not there', ['--peers', 'gateway,apache'], 'apache'],
    ['text', ['--warm-up', 'long'], 'not long'],
  ])('refuses %s and says why', (_case, args, why) => {
    expect(() => parseBenchOptions(args)).toThrow(OptionError);
    expect(() => parseBenchOptions(args)).toThrow(why);
  });

  it.each([['--repetitions=3'], ['--repetitions']])('refuses %s where a scenario has no use for it', (arg) => {
    expect(() => parseBenchOptions([arg, '3'], ['repetitions'])).toThrow('--repetitions means nothing');
  });
});
