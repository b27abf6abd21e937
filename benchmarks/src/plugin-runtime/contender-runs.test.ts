import { expect, it } from 'vitest';
import { chains, contenders, nameOfChain } from './chain-case.ts';
import { chainRun } from './contender-runs.ts';

const cases = chains.flatMap((chain) => contenders.map((contender) => ({ ...chain, contender })));

it.each(cases.map((one) => [one.contender, nameOfChain(one), one] as const))(
  '%s calls each of %s hooks once per request, and gives a promise only where something is late',
  async (_contender, _chain, one) => {
    let calls = 0;
    const run = await chainRun(one, () => {
      calls += 1;
    });
    const result = run();
    if (one.contender === 'runtime' || one.contender === 'listened')
      expect(result instanceof Promise).toBe(one.kind === 'async');
    await result;
    await run();
    expect(calls).toBe(2 * one.hooks);
  },
);
