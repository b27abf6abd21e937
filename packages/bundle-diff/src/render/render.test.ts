import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  redactBundle,
  renderDiff,
  renderDiffMarkdown,
  renderProblems,
  renderResult,
  renderResultMarkdown,
  summaryBytesMax,
  withStableIds,
} from '../index.ts';
import type { RenderedChange, RenderedDiff } from '../index.ts';
import { libraryDescriptor } from '../testdata/library-descriptor.ts';

const diffOf = (changes: readonly RenderedChange[]): RenderedDiff => ({
  summary: { create: changes.length, update: 0, unchanged: 0, unmanaged: 0 },
  changes,
});

const wildText = fc.string({ unit: 'binary', maxLength: 300 });
const change: fc.Arbitrary<RenderedChange> = fc.record({
  action: fc.constantFrom('create', 'update', 'delete'),
  resource_type: wildText,
  id: wildText,
  name: fc.option(wildText),
  fields: fc.array(
    fc.record({ path: wildText, op: fc.constant('replace' as const), old: fc.jsonValue(), new: fc.jsonValue() }),
  ),
});
const changes = fc.array(change, { maxLength: 60 });

describe('rendering anything', () => {
  it('one line for each record and field, and nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(changes, (all) => {
        const lines = renderDiff(diffOf(all)).split('\n');
        const groups = new Set(all.map((one) => one.resource_type)).size;
        const fields = all.reduce((sum, one) => sum + (one.action === 'update' ? (one.fields?.length ?? 0) : 0), 0);
        expect(lines.length).toBeLessThanOrEqual(all.length + groups + fields + 1);
        expect(lines.length).toBeGreaterThanOrEqual(all.length + fields + 1);
        // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
        expect(lines.join('')).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/);
      }),
    );
  });

  it('a summary stays within its bound, and every block in it is closed', () => {
    fc.assert(
      fc.property(changes, (all) => {
        const text = renderDiffMarkdown(diffOf([...all, ...all, ...all]), { bytesMax: 16_384 });
        expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(16_384);
        const count = (form: RegExp): number => (text.match(form) ?? []).length;
        expect(count(/^<details/gm)).toBe(count(/^<\/details>$/gm));
        expect(count(/^<\/details>$/gm)).toBeLessThanOrEqual(all.length);
      }),
    );
  });

  it.each([['`'.repeat(30_000)], ['`a'.repeat(200_000)], [`${'`'.repeat(5000)}x`]])(
    'fences count too: names of backticks keep a summary within its bound',
    (name) => {
      const all = [1, 2].map((id) => ({ action: 'create' as const, resource_type: 'routes', id: `${id}`, name }));
      const text = renderDiffMarkdown(diffOf(all));
      expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(summaryBytesMax);
    },
  );

  it('a title is one line that nothing obeys, and no half of a character', () => {
    const text = renderDiffMarkdown(diffOf([]), { title: `a\nb\u001B[31m\u202E${'x'.repeat(54)}😀` });
    const [title = '', ...rest] = text.split('\n');
    expect(title).toMatch(/^### a\uFFFDb\uFFFD\\\[31m\uFFFDx+\uFFFD$/);
    expect(rest.join('')).toBe('0 to create, 0 to update, 0 unchanged, 0 not in the bundle');
  });

  it('a summary of more changes than fit says how many lines are missing', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      action: 'create' as const,
      resource_type: index < 9000 ? 'routes' : 'plugins',
      id: `id-${index}`,
      name: `a-name-of-some-length-${index}`,
    }));
    const text = renderDiffMarkdown(diffOf(many));
    expect(text.length).toBeLessThanOrEqual(summaryBytesMax);
    expect(text.length).toBeGreaterThan(summaryBytesMax - 2048);
    expect(text).toMatch(/… and \d{4} more lines/);
    expect(text).toContain('_1 more parts are left out._');
    expect(text).toContain('| routes | 9000 | 0 | 0 |\n| plugins | 1000 | 0 | 0 |');
  });
});

describe('values', () => {
  const fieldLine = (old: unknown, now: unknown): string => {
    const fields = [{ path: '/a', op: 'replace' as const, old, new: now }];
    const text = renderDiff(diffOf([{ action: 'update', resource_type: 'x', id: 'i', name: 'n', fields }]));
    return text.split('\n')[2] ?? '';
  };

  it('short ones are whole', () => expect(fieldLine({ b: 1 }, [1, null])).toBe('      ~ /a: {"b":1} -> [1,null]'));

  it('long ones are cut around the place where they begin to differ', () => {
    const line = fieldLine(`${'x'.repeat(500)}OLD`, `${'x'.repeat(500)}NEW${'y'.repeat(500)}`);
    expect(line).toContain('OLD');
    expect(line).toContain('NEW');
    expect(line.length).toBeLessThan(200);
  });

  it('no half of a character is left at a cut', () => {
    const line = fieldLine('😀'.repeat(100), `a${'😀'.repeat(100)}`);
    expect(line.isWellFormed()).toBe(true);
  });
});

describe('an answer whose lists were cut', () => {
  const created = { action: 'create' as const, resource_type: 'routes', id: 'r', name: 'r', fields: [] };
  const diff = { ...diffOf([created]), not_listed: { changes: 7000, unmanaged: 3 } };
  const failed = { action: 'failed', resource_type: 'routes', id: null, name: 'f', error: { code: 'c', message: 'm' } };
  const result = {
    status: 'partial_failure' as const,
    diff,
    counts: { created: 1, failed: 2, skipped: 40 },
    results: [failed],
    results_not_listed: 42,
  };

  it('says how many changes are missing', () => {
    expect(renderDiff(diff).split('\n').slice(1, 3)).toEqual(['  + r', '… and 7000 more changes, not listed']);
    expect(renderDiffMarkdown(diff)).toContain('\n\n… and 7000 more changes, not listed\n\n');
    expect(renderDiff({ ...diff, not_listed: { changes: 0 } })).not.toContain('not listed');
  });

  it('says how many records failed and were skipped beside those that are listed', () => {
    const lines = ['failed routes f: m [c]', '… and 1 more failed', '… and 40 more skipped'].join('\n');
    expect(renderResult(result)).toContain(`\n${lines}\n`);
    expect(renderResultMarkdown(result)).toContain(lines);
    const { results_not_listed: _, ...whole } = result;
    expect(renderResult(whole)).not.toContain('more failed');
  });
});

describe('a dry run', () => {
  const planned = {
    status: 'dry_run' as const,
    counts: {},
    diff: { ...diffOf([]), summary: { create: 1, update: 2, unchanged: 0, unmanaged: 0 } },
  };

  it('says what it would skip because it may not overwrite', () => {
    const skipping = 'dry run: nothing was changed; of the changes, 2 would be skipped: they overwrite';
    expect(renderResult(planned, { overwrite: false, applyHint: 'x' }).split('\n').at(-1)).toBe(`${skipping} (x)`);
    expect(renderResult(planned).split('\n').at(-1)).toBe('dry run: nothing was changed');
    expect(renderResultMarkdown(planned, { overwrite: false })).toContain(`**${skipping}**`);
  });
});

describe('problems', () => {
  it('a long list is cut, and says how many more there are', () => {
    const one = {
      resource_type: null,
      index: null,
      id: null,
      name: null,
      pointer: '',
      code: 'type',
      message: 'is bad',
    };
    const lines = renderProblems(
      Array.from({ length: 150 }, () => one),
      { level: 'warning' },
    );
    expect(lines).toHaveLength(101);
    expect(lines[0]).toBe('warning /: is bad [type]');
    expect(lines[100]).toBe('… and 50 more');
  });
});

describe('withStableIds', () => {
  it('gives made-up IDs the same names every time, also where records refer to them', () => {
    const planned = (gateway: string, service: string): RenderedChange[] => [
      { action: 'create', resource_type: 'gateways', id: gateway, name: 'edge', fields: [] },
      { action: 'create', resource_type: 'services', id: 'mine', name: 's', fields: [] },
      {
        action: 'create',
        resource_type: 'routes',
        id: service,
        name: 'r',
        fields: [
          { path: '/gateway_id', op: 'add', new: gateway },
          { path: '/service_id', op: 'add', new: 'mine' },
          { path: '/all', op: 'add', new: [gateway, 'other'] },
        ],
      },
      { action: 'update', resource_type: 'routes', id: 'live', name: 'q', fields: [] },
    ];
    const given = new Set(['mine']);
    const [one, two] = [
      ['u1', 'u2'],
      ['v1', 'v2'],
    ].map(([a = '', b = '']) => withStableIds(diffOf(planned(a, b)), given));
    expect(one).toEqual(two);
    expect(one?.changes.map(({ id }) => id)).toEqual(['new-1', 'mine', 'new-2', 'live']);
    expect(one?.changes[2]?.fields?.map((field) => field.new)).toEqual(['new-1', 'mine', ['new-1', 'other']]);
  });
});

describe('redactBundle', () => {
  it('masks every known secret, and as a whole what the descriptor does not know', () => {
    const bundle = {
      tenant_id: 'acme',
      credentials: [
        { name: 'k', consumer_name: 'u', type: 'api_key', key: 'canary' },
        { name: 'l', key: null },
        'canary',
      ],
      plugins: [{ name: 'cors', config: { secret: { deep: 'canary' }, depth: 2 } }],
      routes: 'canary',
      vaults: [{ token: 'canary' }],
    };
    expect(redactBundle(bundle, libraryDescriptor)).toEqual({
      tenant_id: 'acme',
      credentials: [
        { name: 'k', consumer_name: 'u', type: 'api_key', key: '[redacted]' },
        { name: 'l', key: null },
        '[redacted]',
      ],
      plugins: [{ name: 'cors', config: { secret: '[redacted]', depth: 2 } }],
      routes: '[redacted]',
      vaults: '[redacted]',
    });
    expect(JSON.stringify(bundle)).toContain('canary');
    expect([redactBundle('canary', libraryDescriptor), redactBundle(null, libraryDescriptor)]).toEqual([
      '[redacted]',
      null,
    ]);
  });

  it('masks a secret under another name of its field', () => {
    const collections = libraryDescriptor.collections.map((one) =>
      one.key === 'credentials' ? { ...one, aliases: { api_key: 'key' } } : one,
    );
    const shown = redactBundle({ credentials: [{ name: 'k', api_key: 'canary' }] }, { collections });
    expect(shown).toEqual({ credentials: [{ name: 'k', api_key: '[redacted]' }] });
  });
});
