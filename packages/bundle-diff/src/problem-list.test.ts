import { describe, expect, it } from 'vitest';
import { bundleLimits, joinProblems, resolveBundle, validateBundle } from './index.ts';
import type { BundleProblem } from './index.ts';
import { libraryDescriptor } from './testdata/library-descriptor.ts';

const newId = (): string => 'new';

function gatewaysWith(count: number, record: object): object {
  return { tenant_id: 'acme', gateways: Array.from({ length: count }, () => record) };
}

function problem(pointer: string): BundleProblem {
  return { resource_type: null, index: null, id: null, name: null, pointer, code: 'type', message: 'is wrong' };
}

describe('a bundle with more mistakes than anyone reads', () => {
  const document = gatewaysWith(3000, { name: 'edge', bogus: 1 });

  it('lists the first thousand, and says how many more there are', () => {
    for (const { errors } of [
      validateBundle(document, libraryDescriptor),
      resolveBundle(document, libraryDescriptor, {}, { newId }),
    ]) {
      expect(errors).toHaveLength(bundleLimits.problemsMax + 1);
      expect(errors.at(0)).toMatchObject({ pointer: '/gateways/0/bogus', code: 'unknown_field' });
      expect(errors.at(-1)).toEqual({
        ...problem(''),
        code: 'more_problems',
        message: '2000 more problems are not listed',
      });
    }
  });

  it('the caller sets the limit, also of warnings', () => {
    const routes = Array.from({ length: 5 }, (_, index) => ({ name: `r${index}`, gateway_name: 'live' }));
    const { errors, warnings } = validateBundle({ tenant_id: 'acme', routes }, libraryDescriptor, {
      limits: { problemsMax: 4 },
    });
    expect(errors).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual([...Array(4).fill('reference_outside_bundle'), 'more_problems']);
    expect(warnings.at(-1)?.message).toBe('1 more problem is not listed');
  });

  it('two lists join to one of each mistake; one that is cut stands for both', () => {
    const [a, b, c] = [problem('/a'), problem('/b'), problem('/c')];
    const cut = { ...problem(''), code: 'more_problems' };
    expect(joinProblems([a, b], [b, c])).toEqual([a, b, c]);
    expect(joinProblems([a, cut], [b])).toEqual([a, cut]);
    expect(joinProblems([a], [b, cut])).toEqual([b, cut]);
    expect(joinProblems([a, b], [c], { problemsMax: 1 })).toMatchObject([
      a,
      { message: '2 more problems are not listed' },
    ]);
  });
});

it('a bundle with too many records is refused as a whole, without a look at them', () => {
  const document = gatewaysWith(6, { bogus: 1 });
  const options = { newId, limits: { recordsMax: 5 } };
  const expected = [{ pointer: '', code: 'too_many_records', message: 'holds 6 records; at most 5 are allowed' }];
  expect(validateBundle(document, libraryDescriptor, options)).toMatchObject({
    valid: false,
    errors: expected,
    counts: { gateways: 6 },
  });
  expect(resolveBundle(document, libraryDescriptor, {}, options)).toMatchObject({ desired: {}, errors: expected });
  expect(bundleLimits.recordsMax).toBe(200_000);
});
