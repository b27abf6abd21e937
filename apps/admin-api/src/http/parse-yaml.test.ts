import { describe, expect, it } from 'vitest';
import { parseYaml } from './parse-yaml.ts';

const large = Array.from(
  { length: 9_000 },
  (_, index) => `- {id: r${index}, path: "/a/${index}", methods: [GET, POST], limit: ${index}}`,
);

describe('parseYaml', () => {
  it('gives the same for large documents as for small ones, mistakes included', async () => {
    const parsed = await parseYaml(large.join('\n'));
    expect(parsed.ok && (parsed.value as unknown[])[8_999]).toEqual({
      id: 'r8999',
      path: '/a/8999',
      methods: ['GET', 'POST'],
      limit: 8_999,
    });
    expect(await parseYaml([...large, '- {a: 1, a: 2}'].join('\n'))).toMatchObject({
      ok: false,
      line: 9_001,
      column: 10,
      message: expect.stringContaining('twice') as unknown,
    });
  });

  it('lets everyone else go on while it parses', async () => {
    let longestMs = 0;
    let lastMs = performance.now();
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
    }, 1);
    const text = large.join('\n');
    const results = await Promise.all([1, 2, 3].map(() => parseYaml(text)));
    clearInterval(timer);
    expect(results.every((result) => result.ok)).toBe(true);
    expect(longestMs).toBeLessThan(250);
  });

  it('says to come back when too many wait', async () => {
    const text = large.slice(0, 1_500).join('\n');
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => parseYaml(text)));
    expect(
      outcomes
        .filter((outcome) => outcome.status === 'rejected')
        .map(({ reason }) => (reason as { code: string }).code),
    ).toEqual(['unavailable', 'unavailable']);
  });
});
