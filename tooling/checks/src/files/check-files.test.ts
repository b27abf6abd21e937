import { describe, expect, it } from 'vitest';
import { readWorkspaces } from '../repository.ts';
import { writeTree } from '../testing/fixture-tree.ts';
import { checkFiles } from './check-files.ts';
import { checkPurity } from './check-purity.ts';

const slash = '/';
const long = 'export const x = 1;\n'.repeat(301);

describe('checkFiles', () => {
  it('finds nothing in a tree that keeps to the rules', async () => {
    await using folder = await writeTree({});
    expect(checkFiles(folder.path)).toEqual([]);
  });

  it.each([
    ['a source of 301 lines', 'packages/resources/src/long.ts', long, 'file-length'],
    ['a path of the build machine', 'docs/x.md', `see ${slash}work/main/x\n`, 'machine-bound'],
    ['a home folder', 'docs/x.md', `see ${slash}home/jo/x\n`, 'machine-bound'],
    ['a fixed temporary folder', 'packages/resources/src/t.ts', `const p = '${slash}tmp/x';\n`, 'machine-bound'],
    ['a registry host', 'README.md', `https://${['registry', 'npmjs', 'org'].join('.')}/x\n`, 'machine-bound'],
  ])('reports %s', async (_name, path, content, rule) => {
    await using folder = await writeTree({ [path]: content });
    expect(checkFiles(folder.path).map((violation) => violation.rule)).toEqual([rule]);
  });

  it.each([
    ['a generated source of 301 lines', 'packages/resources/src/api.gen.ts', long],
    ['a test of 301 lines', 'packages/resources/src/long.test.ts', long],
    ['a built file', 'packages/resources/dist/x.ts', `${slash}root/x`],
    ['a URL path that looks like a folder', 'docs/x.md', `http://example.test${slash}home/jo\n`],
  ])('lets %s pass', async (_name, path, content) => {
    await using folder = await writeTree({ [path]: content });
    expect(checkFiles(folder.path)).toEqual([]);
  });
});

describe('checkPurity', () => {
  it.each([
    ['packages/resources/src/now.ts', 'export const now = new Date();\n', ['ambient-world']],
    ['apps/gateway/src/proxy.ts', 'const id = crypto.randomUUID();\n', ['ambient-world']],
    ['packages/resources/src/then.ts', 'export const then = new Date(nowMs);\n', []],
    ['apps/gateway/src/adapters/system-clock.ts', 'performance.now();\n', []],
    ['apps/gateway/src/main.ts', 'performance.now();\n', []],
    ['packages/resources/src/now.test.ts', 'new Date();\n', []],
    ['packages/resources/src/doc.ts', '// never new Date()\n', []],
  ])('judges %s: %s', async (path, content, rules) => {
    await using folder = await writeTree({ [path]: content });
    expect(checkPurity(readWorkspaces(folder.path)).map((violation) => violation.rule)).toEqual(rules);
  });
});
