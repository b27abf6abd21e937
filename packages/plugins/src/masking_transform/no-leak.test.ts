import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { responseThrough } from '../testing/json-messages.ts';
import { maskingTransform } from './index.ts';

const SECRET = 'hunter2';
const blank = fc.constantFrom('', ' ', '\n\t');
/** The masked name as it may be written, and others. */
const name = fc.constantFrom('"s"', '"\\u0073"', '"a"', '"b"', '"sa"', '"\\"s"', '"__proto__"');
const harmless = fc.constantFrom('1', 'null', '"x"', '"\\"s\\":"', '12345678901234567890', '[]', '{}');

/** Texts in which what is secret stands under the name only, names several times, and everything at any depth. */
const { value: text } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    harmless,
    fc
      .tuple(fc.array(tie('value'), { maxLength: 3 }), blank)
      .map(([items, space]) => `[${items.join(`${space},`)}${space}]`),
    fc
      .array(fc.tuple(name, tie('value'), blank), { maxLength: 5 })
      .map((members) => `{${members.map(([key, inner, space]) => member(key, inner, space)).join(',')}}`),
  ),
}));

function member(key: string, inner: string, space: string): string {
  const isSecret = key === '"s"' || key === '"\\u0073"';
  return `${space}${key}${space}:${isSecret ? `[${inner},{"deep":"${SECRET}"}]` : inner}${space}`;
}

describe('masks', () => {
  it.each(['$..s', '$..["s"]', "$..['a','s']"])('%s leaves nothing of what stands under the name', async (path) => {
    const config = { response_json_paths: [path], mask: 'masked' };
    const isMasked = fc.asyncProperty(text, async (body) => {
      const answer = await responseThrough(maskingTransform, config, body);
      const sent = answer.body === 'as it came' ? body : answer.body;
      expect(answer.status).toBe(200);
      expect(() => JSON.parse(sent) as unknown).not.toThrow();
      expect(sent).not.toContain(SECRET);
    });
    await fc.assert(isMasked, { numRuns: 150 });
  });

  it('are needed in that property', () => {
    expect(fc.sample(text, 500).some((body) => body.includes(SECRET))).toBe(true);
  });
});
