import { FakeClock } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { FAILURES_MAX, REST_MS, ServiceRest } from './service-rest.ts';

it('leaves a service alone after failures one after another, and then lets one call try it', () => {
  const clock = new FakeClock();
  const rest = new ServiceRest(() => clock.monotonicMs());
  const fail = (times: number): void => Array.from({ length: times }).forEach(() => rest.noteFailure());
  fail(FAILURES_MAX - 1);
  expect(rest.isOn()).toBe(false);
  rest.noteSuccess();
  fail(FAILURES_MAX - 1);
  expect(rest.isOn()).toBe(false);
  fail(1);
  expect(rest.isOn()).toBe(true);
  clock.advance(REST_MS - 1);
  expect(rest.isOn()).toBe(true);
  clock.advance(1);
  expect([rest.isOn(), rest.isOn()]).toEqual([false, true]);
  fail(1);
  clock.advance(REST_MS);
  expect(rest.isOn()).toBe(false);
  rest.noteSuccess();
  expect([rest.isOn(), rest.isOn()]).toEqual([false, false]);
});
