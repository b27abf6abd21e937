import { describe, expect, it } from 'vitest';
import { readWorkspaces } from '../repository.ts';
import { CLEAN_TREE, writeTree, type Tree } from '../testing/fixture-tree.ts';
import { checkBorders } from './check-borders.ts';
import { IMPORT_TABLE } from './import-table.ts';

/** Paths and rules of what is wrong in the clean tree with some files changed. */
async function violations(changes: Tree): Promise<readonly string[]> {
  await using folder = await writeTree(changes);
  return checkBorders(readWorkspaces(folder.path)).map(({ path, rule }) => `${path} ${rule}`);
}

/** Not written out, so that this file is not taken to import anything. */
const dynamicImport = 'import(';

/** A manifest of the clean tree with more in it. */
const manifest = (folder: string, more: object): object => ({
  ...Object(CLEAN_TREE[`${folder}/package.json`]),
  ...more,
});

describe('checkBorders', () => {
  it('finds nothing in a tree that keeps to the rules', async () => {
    expect(await violations({})).toEqual([]);
  });

  const cases: readonly (readonly [string, Tree, readonly string[]])[] = [
    [
      'a package importing one that the table does not allow',
      {
        'packages/resources/package.json': manifest('packages/resources', {
          dependencies: { '@portcullis/admin-client': '*' },
        }),
        'packages/resources/src/one.ts': `export * from '@portcullis/admin-client';\n`,
      },
      ['packages/resources/src/one.ts:1 import-table'],
    ],
    [
      'a value import where the table allows types only',
      { 'packages/admin-client/src/index.ts': `import { one } from '@portcullis/resources';\nexport { one };\n` },
      ['packages/admin-client/src/index.ts:1 import-table'],
    ],
    [
      'a dynamic import past the table',
      {
        'packages/resources/package.json': manifest('packages/resources', {
          dependencies: { '@portcullis/admin-client': '*' },
        }),
        'packages/resources/src/one.ts': `\nexport const one = (): unknown => ${dynamicImport}'@portcullis/admin-client');\n`,
      },
      ['packages/resources/src/one.ts:2 import-table'],
    ],
    [
      'a package that is not in the table',
      { 'packages/utils/package.json': { name: '@portcullis/utils', exports: {} } },
      ['packages/utils/package.json unlisted-package'],
    ],
    [
      'an app importing an app',
      {
        'apps/gateway/package.json': manifest('apps/gateway', {
          dependencies: { '@portcullis/resources': '*', '@portcullis/admin-api': '*', undici: '8' },
        }),
        'apps/admin-api/package.json': manifest('apps/admin-api', { exports: { '.': './src/main.ts' } }),
        'apps/gateway/src/other.ts': `export * from '@portcullis/admin-api';\n`,
      },
      ['apps/gateway/src/other.ts:1 imports-app'],
    ],
    [
      'tooling importing an app',
      {
        'tooling/testkit/package.json': manifest('tooling/testkit', { dependencies: { '@portcullis/admin-api': '*' } }),
        'apps/admin-api/package.json': manifest('apps/admin-api', { exports: { '.': './src/main.ts' } }),
        'tooling/testkit/src/x.ts': `import '@portcullis/admin-api';\n`,
      },
      ['tooling/testkit/src/x.ts:1 imports-app'],
    ],
    [
      'the test kit outside of a test',
      {
        'packages/resources/package.json': manifest('packages/resources', {
          dependencies: { '@portcullis/testkit': '*' },
        }),
        'packages/resources/src/one.ts': `import { eventually } from '@portcullis/testkit';\nexport const one = eventually;\n`,
      },
      ['packages/resources/src/one.ts:1 testkit-outside-tests'],
    ],
    [
      'a deep import',
      { 'apps/gateway/src/deep.ts': `import { one } from '@portcullis/resources/src/one.ts';\nexport { one };\n` },
      ['apps/gateway/src/deep.ts:1 deep-import'],
    ],
    [
      'a relative import that leaves its package',
      {
        'apps/gateway/src/escape.ts': `import { one } from '../../../packages/resources/src/one.ts';\nexport { one };\n`,
      },
      ['apps/gateway/src/escape.ts:1 relative-escape'],
    ],
    [
      'an import that the manifest does not declare',
      { 'packages/resources/src/one.ts': `import {\n  a,\n  b,\n} from 'left-pad';\nexport const one = [a, b];\n` },
      ['packages/resources/src/one.ts:1 undeclared-dependency'],
    ],
    [
      'a development dependency in what is shipped',
      {
        'apps/gateway/package.json': manifest('apps/gateway', {
          dependencies: { '@portcullis/resources': '*' },
          devDependencies: { undici: '8' },
        }),
      },
      ['apps/gateway/src/main.ts:3 undeclared-dependency'],
    ],
    [
      'a dependency that nothing uses',
      { 'apps/admin-api/package.json': manifest('apps/admin-api', { dependencies: { pg: '8' } }) },
      ['apps/admin-api/package.json unused-dependency'],
    ],
    [
      'a dependency that only tests use',
      {
        'packages/resources/package.json': manifest('packages/resources', {
          dependencies: { '@portcullis/testkit': '*' },
          devDependencies: {},
        }),
      },
      ['packages/resources/package.json unused-dependency'],
    ],
  ];

  it.each(cases)('reports %s', async (_name, changes, expected) => {
    expect(await violations(changes)).toEqual(expected);
  });

  it('lets an app declare what only the packages inlined into it import', async () => {
    const changes: Tree = {
      'packages/resources/package.json': manifest('packages/resources', { dependencies: { valibot: '1' } }),
      'packages/resources/src/one.ts': `import { object } from 'valibot';\nexport const one = object;\n`,
      'apps/gateway/package.json': manifest('apps/gateway', {
        dependencies: { '@portcullis/resources': '*', undici: '8', valibot: '1' },
      }),
    };
    expect(await violations(changes)).toEqual([]);
  });

  it('does not take comments and strings for imports', async () => {
    const source = `/**\n * import { x } from 'nowhere';\n * \`${dynamicImport}'nowhere')\`\n */\n// import 'nowhere'\nexport const text = "  import 'nowhere'";\n`;
    expect(await violations({ 'packages/resources/src/comment.ts': source })).toEqual([]);
  });

  it('has a table without a circle, so that packages can be built in an order', () => {
    const reach = (name: string, seen: readonly string[]): readonly string[] => {
      expect(seen, `a circle through ${name}`).not.toContain(name);
      return (IMPORT_TABLE[name]?.packages ?? []).flatMap((next) => reach(next, [...seen, name]));
    };
    for (const name of Object.keys(IMPORT_TABLE)) reach(name, []);
  });
});
