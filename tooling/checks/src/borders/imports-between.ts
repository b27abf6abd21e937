import type { ImportSite } from '../imports.ts';
import { packageOf } from '../imports.ts';
import type { SourceFile, Violation, Workspace } from '../repository.ts';
import { IMPORT_TABLE, SCOPE, TEST_PACKAGES } from './import-table.ts';

/** Imports between our own packages that the table does not allow. */
export function importViolations(from: Workspace, workspaces: readonly Workspace[]): readonly Violation[] {
  const unlisted =
    from.kind === 'packages' && IMPORT_TABLE[from.shortName] === undefined
      ? [{ path: `${from.folder}/package.json`, rule: 'unlisted-package', message: 'add it to the import table first' }]
      : [];
  const forbidden = from.sources.flatMap((file) =>
    file.imports.flatMap((site) => {
      const target = ownTarget(site, workspaces);
      const reason = target === undefined || target === from ? undefined : whyForbidden(from, target, file, site);
      if (reason === undefined) return [];
      return [{ path: `${file.path}:${site.line}`, ...reason }];
    }),
  );
  return [...unlisted, ...forbidden];
}

function ownTarget(site: ImportSite, workspaces: readonly Workspace[]): Workspace | undefined {
  const name = packageOf(site.specifier);
  if (name === undefined || !name.startsWith(SCOPE)) return undefined;
  return workspaces.find((workspace) => workspace.manifest.name === name);
}

function whyForbidden(
  from: Workspace,
  target: Workspace,
  file: SourceFile,
  site: ImportSite,
): { readonly rule: string; readonly message: string } | undefined {
  if (target.kind === 'apps') {
    return { rule: 'imports-app', message: `${target.manifest.name} is an app: nothing imports an app` };
  }
  const ships = from.kind === 'packages' || from.kind === 'apps';
  if (!ships) return undefined;
  if (TEST_PACKAGES.includes(target.shortName)) {
    return file.isTest ? undefined : { rule: 'testkit-outside-tests', message: 'the test kit is for tests only' };
  }
  if (target.kind !== 'packages') {
    return { rule: 'imports-tooling', message: `${target.manifest.name} is not shipped` };
  }
  if (from.kind === 'apps') return undefined;
  const allowance = IMPORT_TABLE[from.shortName] ?? { packages: [] };
  if (allowance.packages.includes(target.shortName)) return undefined;
  if (site.typeOnly && allowance.types?.includes(target.shortName) === true) return undefined;
  return { rule: 'import-table', message: `${from.shortName} may not import ${target.shortName}` };
}
