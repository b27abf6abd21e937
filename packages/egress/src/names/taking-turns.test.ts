import { eventually } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { takingTurns } from './taking-turns.ts';

it('asks for a few names at a time, and for the next one when one is answered or not known', async () => {
  const open: PromiseWithResolvers<string>[] = [];
  const lookup = (): Promise<string> => {
    const held = Promise.withResolvers<string>();
    open.push(held);
    return held.promise;
  };
  const ask = takingTurns(lookup, 2);
  const answers = [0, 1, 2, 3].map((index) => ask(`name${index}.test`).catch((error: unknown) => error));
  expect(open).toHaveLength(2);
  open[0]?.reject(new Error('no such name'));
  expect(await answers[0]).toMatchObject({ message: 'no such name' });
  await eventually(() => expect(open).toHaveLength(3));
  for (const at of [1, 2, 3]) {
    await eventually(() => expect(open.length).toBeGreaterThan(at));
    open[at]?.resolve(`answer ${at}`);
    expect(await answers[at]).toBe(`answer ${at}`);
  }
  const [one, other] = [ask('again.test'), ask('again2.test')];
  expect(open).toHaveLength(6);
  for (const held of open) held.resolve('here');
  expect(await Promise.all([one, other])).toEqual(['here', 'here']);
});
