import { timed } from '../say.mjs';
import { fingerprint, resultStamp } from './fingerprint.mjs';
import { readMarker, writeMarker } from './marker.mjs';
import { runCommand } from './run-command.mjs';
import { workspaces } from './workspaces.mjs';

/** What a build reads beside the packages themselves. */
const SHARED_INPUTS = [
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'turbo.json',
  'tooling/build',
  'tooling/tsconfig',
];

/** The same files that turbo.json leaves out of a build's inputs. */
const NOT_AN_INPUT = /\.test\.ts$|\/README\.md$|\/CHANGELOG\.md$/;

/**
 * Builds every package and app through turbo, which caches each. When neither a source nor a result changed since the
 * last build, turbo itself is not started: sources are compared by content, results by name, size and time.
 * @param {{ root: string, env: NodeJS.ProcessEnv, say: import('../say.mjs').Say }} context
 * @param {() => Promise<string>} pnpmFolder asked only when there is something to do: turbo calls pnpm.
 * @returns {Promise<{ ok: boolean, output: string }>} `output` is turbo's, empty when nothing was to be done.
 */
export async function build({ root, env, say }, pnpmFolder) {
  const built = workspaces(root).filter((workspace) => workspace.builds);
  const sources = fingerprint(
    root,
    [...SHARED_INPUTS, ...built.map(({ folder }) => folder)],
    (path) => !NOT_AN_INPUT.test(path),
  );
  const resultFolders = built.map(({ folder }) => `${folder}/dist`);
  const marker = readMarker(root, 'build');
  if (marker['sources'] === sources && marker['results'] === resultStamp(root, resultFolders)) {
    return { ok: true, output: '' };
  }
  const result = await timed(say, 'building', async () => {
    const PATH = `${root}/node_modules/.bin:${await pnpmFolder()}:${env['PATH'] ?? ''}`;
    return runCommand(`${root}/node_modules/.bin/turbo`, ['run', 'build', '--output-logs=errors-only', '--no-color'], {
      cwd: root,
      env: { ...env, PATH, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' },
    });
  });
  if (result.code !== 0) return { ok: false, output: result.output };
  writeMarker(root, 'build', { sources, results: resultStamp(root, resultFolders) ?? '' });
  return { ok: true, output: result.output };
}
