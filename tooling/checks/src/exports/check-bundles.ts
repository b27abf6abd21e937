import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { importsOf, packageOf } from '../imports.ts';
import type { Violation, Workspace } from '../repository.ts';

/**
 * What an app's bundle still imports has to be among the app's own dependencies: our packages are inlined, and bring
 * imports that the app's sources do not show. Needs a build.
 */
export function checkBundles(root: string, workspaces: readonly Workspace[]): readonly Violation[] {
  return workspaces
    .filter(({ kind }) => kind === 'apps')
    .flatMap(({ folder, manifest }) => {
      const dist = join(root, folder, 'dist');
      if (!existsSync(dist)) return [{ path: folder, rule: 'bundle', message: 'it was not built' }];
      const declared = new Set(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }));
      const missing = new Set(
        readdirSync(dist)
          .filter((name) => name.endsWith('.js'))
          .flatMap((name) => importsOf(readFileSync(join(dist, name), 'utf8')))
          .filter(({ specifier }) => !isBuiltin(specifier))
          .map(({ specifier }) => packageOf(specifier))
          .filter((name) => name !== undefined && !declared.has(name)),
      );
      return [...missing].map((name) => ({
        path: `${folder}/package.json`,
        rule: 'bundle',
        message: `the bundle imports ${name}, which is not among the dependencies`,
      }));
    });
}
