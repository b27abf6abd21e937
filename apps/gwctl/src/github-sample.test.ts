import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseBundle, validateBundle } from '@portcullis/bundle-diff';
import { familyNamed, writeSchema } from '@portcullis/resources';
import { temporaryFolder } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { localDescriptor } from './bundle/local-descriptor.ts';

interface Route {
  readonly name: string;
  readonly path: string;
  readonly path_type: 'exact' | 'regex';
  readonly regex_priority?: number;
  readonly methods: readonly string[];
}

const folder = new URL('../../../examples/github/', import.meta.url);
const parsed = parseBundle(readFileSync(new URL('bundle.yaml', folder), 'utf8'));
const document = (parsed.ok ? parsed.document : {}) as { routes: readonly Route[] };

describe('examples/github/bundle.yaml', () => {
  it('is a valid bundle of several hundred routes', () => {
    expect(parsed).toMatchObject({ ok: true });
    const result = validateBundle(document, localDescriptor(), { strict: true });
    expect(result).toMatchObject({ valid: true, errors: [], warnings: [] });
    expect(result.counts['routes']).toBe(551);
  });

  it('holds routes as the catalogue declares them', () => {
    const schema = writeSchema(familyNamed('routes'));
    for (const { gateway_name: _, ...route } of document.routes as unknown as readonly Record<string, unknown>[]) {
      expect(v.safeParse(schema, route).issues ?? []).toEqual([]);
    }
  });

  it('lets each path find its own route: an exact one first, else the expression of the highest priority', () => {
    for (const route of document.routes) {
      const path = route.path
        .replace(/^~/, '')
        .replace(/\$$/, '')
        .replaceAll(/\(\?<(\w+)>[^)]+\)/g, 'some-$1');
      expect([path, winnerFor(path)?.name]).toEqual([path, route.name]);
    }
    expect(winnerFor('/repos/ada/engine/issues/comments')?.name).toBe('repos.owner.repo.issues.comments');
    expect(winnerFor('/repos/ada/engine/contents/src/main.ts')?.name).toBe('repos.owner.repo.contents.path');
    expect(winnerFor('/repos/ada')).toBeUndefined();
  });
});

/** The rule of the wire contract, for paths alone and written for reading, not for speed. */
function winnerFor(path: string): Route | undefined {
  const exact = document.routes.find((route) => route.path_type === 'exact' && route.path === path);
  const matching = document.routes.filter(
    (route) => route.path_type === 'regex' && new RegExp(`^${route.path.slice(1)}`).test(path),
  );
  return exact ?? matching.sort((left, right) => (right.regex_priority ?? 0) - (left.regex_priority ?? 0))[0];
}

describe('examples/github/make.mjs', () => {
  it('writes the same bytes for the same description', async () => {
    await using temporary = await temporaryFolder();
    const script = temporary.join('make.mjs');
    copyFileSync(fileURLToPath(new URL('make.mjs', folder)), script);
    const parameter = { name: 'path', in: 'path', 'x-multi-segment': true };
    const description = {
      info: { title: 'Small', version: '1' },
      paths: {
        '/': { get: {} },
        '/a.b/{id}': { put: {}, get: {}, parameters: [] },
        '/a.b/{path}': { get: { parameters: [parameter] } },
        '/search/code': { get: {} },
      },
    };
    writeFileSync(temporary.join('api.json'), JSON.stringify(description));
    const run = () => {
      execFileSync(process.execPath, [script, temporary.join('api.json')]);
      return readFileSync(temporary.join('bundle.yaml'), 'utf8');
    };
    const text = run();
    expect(run()).toBe(text);
    const made = parseBundle(text);
    expect(made).toMatchObject({
      ok: true,
      document: {
        routes: [
          { name: 'root', path: '/', path_type: 'exact', methods: ['GET'] },
          { name: 'a.b.id', path: '~/a\\.b/(?<id>[^/]+)$', path_type: 'regex', methods: ['GET', 'PUT'] },
          { name: 'a.b.path', path: '~/a\\.b/(?<path>.+)$' },
          { name: 'search.code', plugins: [{ name: 'rate_limiter' }] },
        ],
      },
    });
  });
});
