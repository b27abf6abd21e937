import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@portcullis/testkit';

/** Paths and contents; an object is written as JSON. `null` leaves out a file of the base. */
export type Tree = Readonly<Record<string, string | object | null>>;

const library = (name: string, more: object = {}): object => ({
  name: `@portcullis/${name}`,
  version: '1.0.0',
  description: name,
  license: 'Apache-2.0',
  files: ['dist'],
  exports: {
    '.': { '@portcullis/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
    './extra': { '@portcullis/source': './src/extra.ts', types: './dist/extra.d.ts', default: './dist/extra.js' },
  },
  publishConfig: {
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './extra': { types: './dist/extra.d.ts', default: './dist/extra.js' },
    },
  },
  ...more,
});

/** A small repository in which nothing is wrong: two libraries, two apps, the test kit. */
export const CLEAN_TREE: Tree = {
  'packages/resources/package.json': library('resources', { devDependencies: { '@portcullis/testkit': '*' } }),
  'packages/resources/README.md': '# resources\n',
  'packages/resources/src/index.ts': `import { sep } from 'node:path';\nimport { one } from './one.ts';\nexport { one, sep };\n`,
  'packages/resources/src/one.ts': 'export const one = 1;\n',
  'packages/resources/src/extra.ts': 'export const extra = 2;\n',
  'packages/resources/src/one.test.ts': `import { it } from 'vitest';\nimport { eventually } from '@portcullis/testkit';\nit('x', () => eventually(() => 1));\n`,
  'packages/admin-client/package.json': library('admin-client', { dependencies: { '@portcullis/resources': '*' } }),
  'packages/admin-client/README.md': '# admin-client\n',
  'packages/admin-client/src/index.ts': `import type { one } from '@portcullis/resources';\nexport type One = typeof one;\n`,
  'apps/gateway/package.json': {
    name: '@portcullis/gateway',
    version: '1.0.0',
    private: true,
    description: 'gateway',
    license: 'Apache-2.0',
    dependencies: { '@portcullis/resources': '*', undici: '8' },
  },
  'apps/gateway/README.md': '# gateway\n',
  'apps/gateway/src/main.ts': `import { one } from '@portcullis/resources';\nimport { extra } from '@portcullis/resources/extra';\nimport { request } from 'undici';\nexport { extra, one, request };\n`,
  'apps/admin-api/package.json': {
    name: '@portcullis/admin-api',
    version: '1.0.0',
    private: true,
    description: 'admin',
    license: 'Apache-2.0',
  },
  'apps/admin-api/README.md': '# admin-api\n',
  'apps/admin-api/src/main.ts': 'export const main = 1;\n',
  'tooling/testkit/package.json': { name: '@portcullis/testkit', private: true, exports: { '.': './src/index.ts' } },
  'tooling/testkit/src/index.ts': 'export const eventually = (attempt: () => unknown): unknown => attempt();\n',
};

/** Writes a tree into a folder of its own: the clean one with some files replaced, added or left out. */
export async function writeTree(changes: Tree): Promise<TemporaryFolder> {
  const folder = await temporaryFolder();
  for (const [path, content] of Object.entries({ ...CLEAN_TREE, ...changes })) {
    if (content === null) continue;
    await mkdir(dirname(folder.join(path)), { recursive: true });
    await writeFile(folder.join(path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}
