import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config';
import { REMOVED_RULE, withoutRule } from './removed-rule.ts';
import type { Rule } from './rule.ts';

const root = join(import.meta.dirname, '../../../..');
const rule = JSON.parse(process.env[REMOVED_RULE] ?? '') as Rule;

/** The suite's own. */
const { default: suite } = (await import(pathToFileURL(join(root, 'vitest.config.ts')).href)) as {
  readonly default: ViteUserConfig;
};
const projects = (suite.test?.projects ?? []) as TestProjectInlineConfiguration[];

const removal = {
  name: 'removed-rule',
  enforce: 'pre' as const,
  transform: (code: string, id: string) => {
    const file = relative(root, id);
    return rule.edits.some((edit) => edit.file === file) ? withoutRule(rule, file, code) : undefined;
  },
};

/** The suite as it is, but for one rule that its sources are read without. */
export default defineConfig({
  ...suite,
  root,
  test: {
    ...suite.test,
    // It goes by the files, and would bring the sources back as they are.
    fsModuleCache: false,
    projects: projects.map((project) => ({ ...project, plugins: [removal] })),
  },
});
