import { packageOf } from '../imports.ts';
import type { Violation, Workspace } from '../repository.ts';
import { ROOT_TOOLS, SCOPE } from './import-table.ts';

/** Imports that the manifest does not declare, and declarations that nothing needs. */
export function dependencyViolations(from: Workspace, workspaces: readonly Workspace[]): readonly Violation[] {
  return [...undeclared(from), ...unused(from, workspaces)];
}

function undeclared(from: Workspace): readonly Violation[] {
  const { manifest } = from;
  const shipped = new Set(
    [manifest.dependencies, manifest.peerDependencies, manifest.optionalDependencies].flatMap((names) =>
      Object.keys(names ?? {}),
    ),
  );
  const development = new Set([...Object.keys(manifest.devDependencies ?? {}), ...ROOT_TOOLS]);
  return from.sources.flatMap((file) =>
    file.imports.flatMap(({ specifier, line, typeOnly }) => {
      const name = packageOf(specifier);
      if (name === undefined || name === manifest.name || shipped.has(name)) return [];
      // A library's declarations carry its types to its users; an app has no declarations.
      const typesWillDo = typeOnly && from.kind !== 'packages';
      const developmentWillDo = file.isTest || typesWillDo || from.kind === 'tooling' || isSelfContained(from);
      if (developmentWillDo && (development.has(name) || development.has(`@types/${name}`))) return [];
      const message = `${name} is not among the ${developmentWillDo ? 'dependencies or devDependencies' : 'dependencies'} of ${from.folder}/package.json`;
      return [{ path: `${file.path}:${line}`, rule: 'undeclared-dependency', message }];
    }),
  );
}

/** An app that is published has everything inside its bundle, so that installing it brings nothing else. */
function isSelfContained({ kind, manifest }: Workspace): boolean {
  return kind === 'apps' && manifest.private !== true;
}

function unused(from: Workspace, workspaces: readonly Workspace[]): readonly Violation[] {
  const { manifest } = from;
  const shippedTexts = textsOf(inlinedInto(from, workspaces), false);
  const ownTexts = textsOf([from], true);
  const scripts = Object.values(manifest.scripts ?? {}).join('\n');
  const violations = (names: readonly string[], texts: readonly string[], key: string): readonly Violation[] =>
    names
      .filter((name) => !mentions(texts, name.replace(/^@types\//, '')) && !scripts.includes(name))
      .map((name) => ({
        path: `${from.folder}/package.json`,
        rule: 'unused-dependency',
        message: `${name} in ${key} is not used`,
      }));
  return [
    ...violations(Object.keys(manifest.dependencies ?? {}), shippedTexts, 'dependencies'),
    ...violations(Object.keys(manifest.devDependencies ?? {}), ownTexts, 'devDependencies'),
  ];
}

/** An app's bundle holds our own packages, so it needs what they need; a library ships alone. */
function inlinedInto(from: Workspace, workspaces: readonly Workspace[]): readonly Workspace[] {
  const reached = new Set([from]);
  if (from.kind !== 'apps') return [from];
  for (const workspace of reached) {
    for (const name of Object.keys(workspace.manifest.dependencies ?? {})) {
      const target = workspaces.find((candidate) => candidate.manifest.name === name);
      if (name.startsWith(SCOPE) && target !== undefined) reached.add(target);
    }
  }
  return [...reached];
}

function textsOf(workspaces: readonly Workspace[], withTests: boolean): readonly string[] {
  return workspaces.flatMap(({ sources }) =>
    sources.filter((file) => withTests || !file.isTest).map((file) => file.text),
  );
}

/** Also a name that is resolved at run time counts: what matters is a string that names the package. */
function mentions(texts: readonly string[], name: string): boolean {
  const pattern = new RegExp(`['"\`]${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:/[^'"\`]*)?['"\`]`);
  return texts.some((text) => pattern.test(text));
}
