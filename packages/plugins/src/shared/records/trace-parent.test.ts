import { describe, expect, it } from 'vitest';
import { traceIds } from './trace-parent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

describe('a traceparent', () => {
  it.each([
    ['of this version', `00-${traceId}-${spanId}-01`],
    ['of a later version', `01-${traceId}-${spanId}-01`],
    ['of a later version with more', `01-${traceId}-${spanId}-01-more`],
  ])('%s names its trace and span', (_name, given) => {
    expect(traceIds(given)).toEqual({ traceId, spanId });
  });

  it.each([
    ['nothing', undefined],
    ['an empty one', ''],
    ['capitals', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['no trace', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['no span', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['version ff', `ff-${traceId}-${spanId}-01`],
    ['more in this version', `00-${traceId}-${spanId}-01-more`],
    ['two of them', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
    ['any length', `01-${traceId}-${spanId}-01-${'x'.repeat(1000)}`],
  ])('is none: %s', (_name, given) => {
    expect(traceIds(given)).toBeUndefined();
  });
});
