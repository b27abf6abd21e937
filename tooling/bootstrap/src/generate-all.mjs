import { delimiter } from 'node:path';
import { Failure } from './failure.mjs';
import { prepare } from './prepare/prepare.mjs';
import { runCommand } from './prepare/run-command.mjs';
import { timed } from './say.mjs';

/**
 * Everything in the repository that is written by a program, each step from what the one before it wrote: the registry
 * and README tables of the plugins, then the description of the administration API, then the references, then the types
 * of the API's client.
 */
const STEPS = [
  {
    what: 'registry and README tables of packages/plugins',
    args: ['--conditions=@portcullis/source', 'packages/plugins/scripts/generate.ts'],
  },
  {
    what: 'apps/admin-api/openapi.json',
    // `--update` stands last: it would take a path after it for its value, and run every test there is.
    args: ['node_modules/vitest/vitest.mjs', 'run', 'apps/admin-api/src/open-api.test.ts', '--update'],
  },
  {
    what: 'reference in docs/reference',
    args: ['node_modules/vitest/vitest.mjs', 'run', 'apps/admin-api/src/reference/reference.test.ts', '--update'],
  },
  {
    what: 'reference of gwctl in docs/reference',
    args: ['node_modules/vitest/vitest.mjs', 'run', 'apps/gwctl/src/reference/reference.test.ts', '--update'],
  },
  { what: 'types of packages/admin-client', args: ['packages/admin-client/scripts/generate.mjs'] },
];

/**
 * `npm run generate`: brings every generated file up to date, on the Node that the lockfile brought.
 * @param {import('./prepare/prepare.mjs').PrepareContext} context
 * @returns {Promise<number>} the exit code.
 * @throws {Failure} with a step's whole output when it fails; the later steps are not done then.
 */
export async function generateAll(context) {
  const { root, env, say } = context;
  const { node } = await prepare(context);
  const PATH = [`${root}/node_modules/.bin`, env['PATH'] ?? ''].join(delimiter);
  for (const { what, args } of STEPS) {
    const { code, output } = await timed(say, what, () => runCommand(node, args, { cwd: root, env: { ...env, PATH } }));
    if (code !== 0) throw new Failure(`${output}\nThe ${what} could not be generated: the output above says why.`);
  }
  return 0;
}
