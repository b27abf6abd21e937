import { describe, expect, it } from 'vitest';
import { createRuntime, endFailures, type ExchangeEnd, type PluginHooks } from './index.ts';
import { exchangeOf, gateway, pluginOf } from './testing/fixtures.ts';

const answered: ExchangeEnd = { status: 200, isComplete: true };

function runWith(request: NonNullable<PluginHooks['request']>) {
  const plugin = pluginOf('holder', () => ({ request }));
  const chain = createRuntime({ plugins: [plugin], instances: [{ id: 'h', name: 'holder' }] }).chainFor({ gateway });
  const exchange = exchangeOf();
  void chain.runRequest(exchange);
  return exchange;
}

describe('the end of an exchange', () => {
  it('is told once, in the order in which listeners came, with how it ended', () => {
    const heard: [string, ExchangeEnd][] = [];
    const exchange = runWith((one) => {
      one.onEnd((end) => heard.push(['first', end]));
      one.onEnd((end) => heard.push(['second', end]));
    });
    expect(heard).toEqual([]);
    exchange.end({ status: undefined, isComplete: false });
    exchange.end(answered);
    expect(heard).toEqual([
      ['first', { status: undefined, isComplete: false }],
      ['second', { status: undefined, isComplete: false }],
    ]);
  });

  it('is told at once to whoever asks afterwards: a hook that was given up releases what it takes late', () => {
    const exchange = exchangeOf();
    exchange.end(answered);
    const heard: ExchangeEnd[] = [];
    exchange.onEnd((end) => heard.push(end));
    expect(heard).toEqual([answered]);
  });

  it('comes with the answer and the failure, which a hook of the request alone would not see', () => {
    const seen: unknown[] = [];
    const exchange = runWith((one) => {
      const look = () => [one.answer?.status, one.answer?.source, one.trouble?.code];
      seen.push(look());
      one.onEnd(() => seen.push(look()));
    });
    exchange.fail({ code: 'upstream_timeout', message: 'late' }, { status: 504, headers: [] });
    exchange.end({ status: 504, isComplete: true });
    expect(seen).toEqual([
      [undefined, undefined, undefined],
      [504, 'gateway', 'upstream_timeout'],
    ]);
  });

  it.each([
    ['why the answer is not whole', undefined, 'client_left'],
    ['what failed before, which is the cause', 'plugin_cut', 'plugin_cut'],
  ])('says %s, to listeners and in the exchange', (_name, before, code) => {
    const exchange = exchangeOf();
    const heard: (string | undefined)[] = [];
    exchange.onEnd((end) => heard.push(end.failure?.code, exchange.trouble?.code));
    if (before !== undefined) exchange.noteFailure({ code: before, message: 'before' });
    exchange.end({ status: 200, isComplete: false, failure: endFailures.clientLeft });
    expect(heard).toEqual([code, code]);
  });

  it('reaches all listeners when one throws, and the host is told of that', () => {
    const heard: string[] = [];
    const faults: unknown[] = [];
    const exchange = exchangeOf();
    exchange.onEnd(() => {
      throw new Error('a fault of the listener');
    });
    exchange.onEnd(() => heard.push('second'));
    exchange.end(answered, (error) => faults.push(error));
    expect([heard, faults]).toEqual([['second'], [new Error('a fault of the listener')]]);
  });
});
