import { eventually } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { ConfigurationKeeper } from './configuration-keeper.ts';

it('writes the first of a burst before it is answered and of the rest the latest, never two at a time, and none while they change', async () => {
  const saved: string[] = [];
  let present: string[] | undefined = ['one'];
  let writing = 0;
  let most = 0;
  const keeper = new ConfigurationKeeper({
    monotonicMs: () => performance.now(),
    lines: async () => present,
    save: async (lines) => {
      writing += 1;
      most = Math.max(most, writing);
      await Promise.resolve();
      saved.push([...lines].join());
      writing -= 1;
    },
    onFailed: () => undefined,
  });
  await keeper.offer();
  // Whoever waits for the first one knows that it is there.
  expect(saved).toEqual(['one']);
  for (let change = 0; change < 100; change += 1) {
    present = [`change ${change}`];
    await keeper.offer();
  }
  expect(saved).toEqual(['one']);
  await eventually(() => saved.length === 2);
  expect(saved).toEqual(['one', 'change 99']);
  present = undefined;
  await keeper.offer();
  present = ['last'];
  await keeper.stop();
  expect([saved.at(-1), most]).toEqual(['last', 1]);
});

it('says what goes wrong and tries again with the next change', async () => {
  const failures: unknown[] = [];
  let saves = 0;
  const keeper = new ConfigurationKeeper({
    monotonicMs: () => performance.now(),
    lines: async () => [],
    save: async () => {
      saves += 1;
      if (saves === 1) throw new Error('no room');
    },
    onFailed: (error) => void failures.push(error),
  });
  await keeper.offer();
  expect(failures).toHaveLength(1);
  await keeper.offer();
  await keeper.stop();
  expect([saves, failures]).toEqual([2, [new Error('no room')]]);
});
