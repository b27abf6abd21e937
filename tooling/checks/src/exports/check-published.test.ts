import { describe, expect, it } from 'vitest';
import { readWorkspaces } from '../repository.ts';
import { writeTree } from '../testing/fixture-tree.ts';
import { checkPublished } from './check-published.ts';

const built = { 'packages/resources/package.json': null, 'packages/admin-client/package.json': null };
const library = {
  name: 'published',
  version: '1.0.0',
  type: 'module',
  license: 'MIT',
  sideEffects: false,
  engines: { node: '>=22' },
  files: ['dist'],
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
};

describe('checkPublished', () => {
  it('judges the tarball: a file that is there passes, one that is missing is named', async () => {
    await using folder = await writeTree({
      ...built,
      'packages/good/package.json': library,
      'packages/good/dist/index.js': 'export const one = 1;\n',
      'packages/good/dist/index.d.ts': 'export declare const one: number;\n',
      'packages/bad/package.json': { ...library, name: 'bad' },
    });
    const found = await checkPublished(folder.path, readWorkspaces(folder.path));
    expect(found.filter(({ path }) => path.startsWith('packages/good'))).toEqual([]);
    expect(found.filter(({ path }) => path.startsWith('packages/bad')).length).toBeGreaterThan(0);
  });
});
