import { expect, it } from 'vitest';
import { resultLine } from './result-line.ts';

it('is one line of JSON that begins with the name, and rounds to four digits', () => {
  const line = resultLine({
    bench: 'proxy',
    ratios: { plain: 1.234567 },
    figures: { gateway: { rps: 12345.678, p99_ms: 0.123456, requests: 123456, skipped: null } },
  });
  expect(line).toBe(
    '{"bench":"proxy","ratios":{"plain":1.235},"figures":{"gateway":{"rps":12350,"p99_ms":0.1235,"requests":123456,"skipped":null}}}',
  );
});

it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %d instead of writing null', (ratio) => {
  expect(() => resultLine({ bench: 'proxy', ratios: { plain: ratio }, figures: {} })).toThrow('plain is');
});
