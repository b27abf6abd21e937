import { FakeClock } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { CHECK_MS, FIRST_READS_MS, SecretWatch } from './secret-watch.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('a vault that is silent delays no rotation of another one', async () => {
  const clock = new FakeClock();
  const secrets = new Map([
    ['vault://quick/a', 'first'],
    ['env://KEY', 'first'],
  ]);
  const changes: string[] = [];
  const silent = Array.from({ length: 200 }, (_, index) => `vault://silent/s${index}`);
  const watch: SecretWatch = new SecretWatch({
    source: { read: (reference) => secrets.get(reference) ?? new Promise<string>(() => undefined) },
    setTimer: clock.setTimer,
    onChange: () => changes.push(...watch.takeChanged()),
  });
  const references = new Set([...silent, ...secrets.keys()]);
  const learnt = watch.learn(references);
  await settled();
  clock.advance(FIRST_READS_MS);
  await learnt;
  expect(watch.knownOf('vault://quick/a')).toEqual({ secret: 'first' });
  watch.takeChanged();
  watch.use(references);
  for (const [reference, secret] of [
    ['vault://quick/a', 'second'],
    ['env://KEY', 'second'],
    ['vault://quick/a', 'third'],
  ] as const) {
    secrets.set(reference, secret);
    clock.advance(CHECK_MS);
    await settled();
    expect(watch.knownOf(reference)).toEqual({ secret });
  }
  expect(changes).toEqual(['vault://quick/a', 'env://KEY', 'vault://quick/a']);
  // Nobody is looked at who is not referred to any more.
  watch.use(new Set(['vault://silent/s0']));
  clock.advance(CHECK_MS);
  await settled();
  expect(clock.pendingTimers).toBe(0);
  watch.stop();
});
