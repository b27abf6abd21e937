import { describe, expect, it } from 'vitest';
import { readWorkspaces } from '../repository.ts';
import { CLEAN_TREE, writeTree, type Tree } from '../testing/fixture-tree.ts';
import { checkBundles } from './check-bundles.ts';
import { checkManifests } from './check-manifests.ts';

const RESOURCES = 'packages/resources/package.json';
const GATEWAY = 'apps/gateway/package.json';
const changed = (path: string, more: object): Tree => ({ [path]: { ...Object(CLEAN_TREE[path]), ...more } });

async function messages(changes: Tree): Promise<readonly string[]> {
  await using folder = await writeTree(changes);
  return checkManifests(folder.path, readWorkspaces(folder.path)).map(({ message }) => message);
}

describe('checkManifests', () => {
  it('finds nothing in a tree that keeps to the rules', async () => {
    expect(await messages({})).toEqual([]);
  });

  it.each<[string, Tree, RegExp]>([
    ['a package without README', { 'packages/resources/README.md': null }, /README/],
    ['a package without version', changed(RESOURCES, { version: undefined }), /version/],
    ['a package without license', changed(RESOURCES, { license: undefined }), /license/],
    ['a package that would publish nothing', changed(RESOURCES, { files: [] }), /files/],
    ['an app that could be published', changed(GATEWAY, { private: false }), /private/],
    [
      'a published app that would publish nothing',
      changed(GATEWAY, { private: false, dependencies: {}, files: [] }),
      /files/,
    ],
    ['an entry point that is not published', changed(RESOURCES, { publishConfig: {} }), /differ/],
    [
      'an entry point without types',
      changed(RESOURCES, {
        exports: { '.': { '@portcullis/source': './src/index.ts', default: './dist/index.js' } },
        publishConfig: { exports: { '.': { default: './dist/index.js' } } },
      }),
      /has no types/,
    ],
  ])('reports %s', async (_name, changes, message) => {
    expect((await messages(changes)).join('\n')).toMatch(message);
  });
});

it('checkManifests lets an app be published that has everything inside', async () => {
  expect(await messages(changed(GATEWAY, { private: false, dependencies: {}, files: ['dist'] }))).toEqual([]);
});

describe('checkBundles', () => {
  it('reports what a bundle imports and its app does not declare', async () => {
    const bundle = `import { a } from "undici";\nimport b from 'hono/cors';\nimport "node:fs";\nimport "worker_threads";\nimport "./chunk-1.js";\n`;
    await using folder = await writeTree({ 'apps/gateway/dist/main.js': bundle, 'apps/admin-api/dist/main.js': '' });
    expect(checkBundles(folder.path, readWorkspaces(folder.path)).map(({ message }) => message)).toEqual([
      'the bundle imports hono, which is not among the dependencies',
    ]);
  });

  it('reports an app that was not built', async () => {
    await using folder = await writeTree({ 'apps/gateway/dist/main.js': '' });
    expect(checkBundles(folder.path, readWorkspaces(folder.path))).toMatchObject([{ path: 'apps/admin-api' }]);
  });
});
