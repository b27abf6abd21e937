import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, type ImportSite } from './imports.ts';

/** The part of a package.json that the checks read. */
export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly license?: string;
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, unknown>> };
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Where a workspace package stands: it decides what it may import. */
export type Kind = 'packages' | 'apps' | 'tooling' | 'benchmarks';

/** One source file. `path` is relative to the repository, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly isTest: boolean;
  readonly imports: readonly ImportSite[];
}

/** One workspace package with its sources. */
export interface Workspace {
  readonly kind: Kind;
  /** Relative to the repository. */
  readonly folder: string;
  /** The folder's last part: the name the import table uses. */
  readonly shortName: string;
  readonly manifest: Manifest;
  readonly sources: readonly SourceFile[];
}

/** Something that breaks a rule. */
export interface Violation {
  readonly path: string;
  /** The rule's name, stable: tests and readers look it up. */
  readonly rule: string;
  readonly message: string;
}

/** Reads every workspace package below a root. Throws when a manifest is not JSON. */
export function readWorkspaces(root: string): readonly Workspace[] {
  const folders = (['packages', 'apps', 'tooling'] as const).flatMap((kind) =>
    existsSync(join(root, kind))
      ? readdirSync(join(root, kind)).map((name) => ({ kind, folder: `${kind}/${name}` }))
      : [],
  );
  return [...folders, { kind: 'benchmarks' as const, folder: 'benchmarks' }]
    .filter(({ folder }) => existsSync(join(root, folder, 'package.json')))
    .map(({ kind, folder }) => readWorkspace(root, kind, folder));
}

function readWorkspace(root: string, kind: Kind, folder: string): Workspace {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
  const paths = globSync('{src,scripts,bench}/**/*.{ts,mjs}', { cwd: join(root, folder) });
  const sources = paths
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('/testdata/'))
    .toSorted()
    .map((path) => readSource(root, `${folder}/${path}`));
  return { kind, folder, shortName: folder.split('/').at(-1) ?? folder, manifest, sources };
}

function readSource(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  // Benchmarks beside a package's sources and its scripts are run by developers only, like its tests.
  const isTest = /\.test(-d|-support)?\.(ts|mjs)$|\.case\.ts$|\/(scripts|bench|testing)\//.test(path);
  return { path, text, isTest, imports: importsOf(text) };
}
