import { checkBorders } from './borders/check-borders.ts';
import { checkBundles } from './exports/check-bundles.ts';
import { checkManifests } from './exports/check-manifests.ts';
import { checkPublished } from './exports/check-published.ts';
import { checkFiles } from './files/check-files.ts';
import { checkPurity } from './files/check-purity.ts';
import { readWorkspaces, type Violation } from './repository.ts';
import { runTool } from './run-tool.ts';

/** One check. It counts as one in the summary. */
export interface Check {
  readonly name: string;
  readonly needsBuild: boolean;
  /** What is wrong, for the reader; empty when nothing is. */
  readonly run: (root: string) => Promise<string>;
}

/** Everything that is looked at beside the tests, the quick ones first. */
export const CHECKS: readonly Check[] = [
  { name: 'format', needsBuild: false, run: (root) => tool(root, 'oxfmt', ['--check']) },
  { name: 'lint', needsBuild: false, run: (root) => tool(root, 'oxlint', ['--type-aware']) },
  { name: 'borders', needsBuild: false, run: (root) => listed(checkBorders(readWorkspaces(root))) },
  { name: 'purity', needsBuild: false, run: (root) => listed(checkPurity(readWorkspaces(root))) },
  { name: 'files', needsBuild: false, run: (root) => listed(checkFiles(root)) },
  { name: 'manifests', needsBuild: false, run: (root) => listed(checkManifests(root, readWorkspaces(root))) },
  { name: 'types of the root', needsBuild: false, run: (root) => tool(root, 'tsc', ['-p', 'tsconfig.json']) },
  {
    name: 'types of the packages',
    needsBuild: true,
    run: (root) => tool(root, 'turbo', ['run', 'typecheck', '--continue', '--output-logs=errors-only', '--no-color']),
  },
  {
    name: 'exports',
    needsBuild: true,
    run: async (root) => {
      const workspaces = readWorkspaces(root);
      return listed([...(await checkPublished(root, workspaces)), ...checkBundles(root, workspaces)]);
    },
  },
];

async function tool(root: string, name: string, args: readonly string[]): Promise<string> {
  const { code, output } = await runTool(root, name, args);
  return code === 0 ? '' : output.trim() || `${name} failed and said nothing`;
}

/** One violation a line, in the form that editors turn into links. */
async function listed(violations: readonly Violation[]): Promise<string> {
  return violations.map(({ path, rule, message }) => `${path} ${rule}: ${message}`).join('\n');
}
