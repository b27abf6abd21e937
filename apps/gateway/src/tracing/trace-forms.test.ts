import { describe, expect, it } from 'vitest';
import { randomIds } from './adapters/random-ids.ts';
import { samplerNames, samplerOf, type SamplerName } from './sampler.ts';
import { readTraceParent } from './trace-parent.ts';
import { passedTraceState, traceStateLengthMax } from './trace-state.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it.each<[string, boolean]>([
    [`00-${trace}-${span}-01`, true],
    [`00-${trace}-${span}-00`, false],
    [`00-${trace}-${span}-03`, true],
    [`00-${trace}-${span}-fe`, false],
    [`01-${trace}-${span}-01`, true],
    [`cc-${trace}-${span}-01-what-the-future-adds`, true],
  ])('%s is read', (value, isSampled) => {
    expect(readTraceParent(value)).toEqual({ traceId: trace, parentId: span, isSampled });
  });

  it.each([
    '',
    '00',
    `ff-${trace}-${span}-01`,
    `00-${trace}-${span}-01-more`,
    `00-${trace}-${span}-01.`,
    `cc-${trace}-${span}-01.more`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace.slice(1)}-${span}-01`,
    `00-${trace}${span}-01`,
    `00-${trace}-${span}-0`,
    `00-${trace}-${span}-0g`,
    ` 00-${trace}-${span}-01`,
    `0-${trace}-${span}-01`,
    `cc-${trace}-${span}-01-${'x'.repeat(300)}`,
  ])('%j is none', (value) => expect(readTraceParent(value)).toBeUndefined());
});

describe('a tracestate', () => {
  const members = (count: number): string => Array.from({ length: count }, (_, at) => `k${at}=v`).join(',');

  it.each([
    'a=1',
    'a=1,b=2',
    ' a=1 ,\tb=2',
    'a=1,,b=2',
    'fw529a3039@dt=FfAA,a-_*/=x y',
    '0a=1',
    `a=${'x'.repeat(256)}`,
    members(32),
  ])('%j goes on as it came', (value) => expect(passedTraceState(value)).toBe(value));

  it.each(
    [
      'a',
      '=1',
      'A=1',
      'a=',
      'a=1=2',
      'a=1;b',
      'a=\u00e9',
      '@a=1',
      'a@=1',
      'a@1=1',
      `a=${'x'.repeat(257)}`,
      `${'a'.repeat(257)}=1`,
      members(33),
      'a=1,B=2',
    ].filter((value) => value !== 'a=1;b'),
  )('%j goes no further', (value) => expect(passedTraceState(value)).toBe(''));
});

it('a tracestate has a length beyond which nobody reads it', () => {
  const list = (length: number): string => 'a=1,'.padEnd(length, ',');
  expect(passedTraceState(list(traceStateLengthMax))).toHaveLength(traceStateLengthMax);
  expect(passedTraceState(list(traceStateLengthMax + 1))).toBe('');
});

describe('a sampler', () => {
  const low = `${'f'.repeat(19)}${'0'.repeat(13)}`;
  const high = `${'0'.repeat(19)}${'f'.repeat(13)}`;

  it.each<[SamplerName, number, readonly boolean[]]>([
    // Decisions: no parent (low, high), a parent that recorded (low), one that did not (high).
    ['always_on', 0, [true, true, true, true]],
    ['always_off', 1, [false, false, false, false]],
    ['traceidratio', 0.5, [false, true, false, true]],
    ['traceidratio', 0, [false, false, false, false]],
    ['traceidratio', 1, [true, true, true, true]],
    ['parentbased_always_on', 0, [true, true, true, false]],
    ['parentbased_always_off', 0, [false, false, true, false]],
    ['parentbased_traceidratio', 0.5, [false, true, true, false]],
  ])('%s with %d decides', (name, ratio, decisions) => {
    const sampler = samplerOf(name, ratio);
    const decided = [sampler(low, undefined), sampler(high, undefined), sampler(low, true), sampler(high, false)];
    expect(decided).toEqual(decisions);
  });

  it('takes its share of random traces', () => {
    const { newTraceId } = randomIds();
    const sampler = samplerOf('traceidratio', 0.25);
    const taken = Array.from({ length: 20_000 }, () => sampler(newTraceId(), undefined)).filter(Boolean).length;
    // Eight standard deviations.
    expect(Math.abs(taken - 5000)).toBeLessThan(500);
    expect(samplerNames).toHaveLength(6);
  });
});

it('IDs are hexadecimal, of their length, and differ, also from one pool to the next', () => {
  const { newTraceId, newSpanId } = randomIds();
  const traces = new Set(Array.from({ length: 2000 }, () => newTraceId()));
  const spans = new Set(Array.from({ length: 2000 }, () => newSpanId()));
  expect([traces.size, spans.size]).toEqual([2000, 2000]);
  expect(
    [...traces].every((id) => /^[0-9a-f]{32}$/.test(id)) && [...spans].every((id) => /^[0-9a-f]{16}$/.test(id)),
  ).toBe(true);
});
