import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, Violation, Workspace } from '../repository.ts';

/** What every package and app has to carry, and that a library's two sets of exports agree. */
export function checkManifests(root: string, workspaces: readonly Workspace[]): readonly Violation[] {
  return workspaces
    .filter(({ kind }) => kind === 'packages' || kind === 'apps')
    .flatMap((workspace) => {
      const found = [
        ...required(workspace),
        ...(workspace.kind === 'packages' ? exportsOf(workspace.manifest) : []),
        ...(existsSync(join(root, workspace.folder, 'README.md')) ? [] : ['README.md is missing']),
      ];
      return found.map((message) => ({ path: `${workspace.folder}/package.json`, rule: 'manifest', message }));
    });
}

function required({ manifest, kind }: Workspace): readonly string[] {
  const messages: string[] = [];
  if (!/^\d+\.\d+\.\d+/.test(manifest.version ?? '')) messages.push('version is missing');
  if (manifest.description === undefined) messages.push('description is missing');
  if (manifest.license === undefined) messages.push('license is missing');
  const isSelfContained = Object.keys(manifest.dependencies ?? {}).length === 0;
  if (kind === 'apps' && manifest.private !== true && !isSelfContained) {
    messages.push('an app is private, or its bundle has everything inside and its manifest no dependencies');
  }
  if (manifest.private !== true && manifest.files?.includes('dist') !== true) messages.push('files does not list dist');
  return messages;
}

function exportsOf({ exports = {}, publishConfig }: Manifest): readonly string[] {
  const published = publishConfig?.exports ?? {};
  const messages: string[] = [];
  if (Object.keys(exports).toSorted().join() !== Object.keys(published).toSorted().join()) {
    messages.push('exports and publishConfig.exports list different entry points');
  }
  for (const [subpath, entry] of Object.entries(exports)) {
    if (subpath === './package.json') continue;
    const conditions: Readonly<Record<string, unknown>> =
      typeof entry === 'object' && entry !== null ? { ...entry } : {};
    const { '@portcullis/source': source, ...built } = conditions;
    if (typeof source !== 'string') messages.push(`exports["${subpath}"] has no @portcullis/source`);
    if (typeof built['types'] !== 'string') messages.push(`exports["${subpath}"] has no types`);
    if (JSON.stringify(built) !== JSON.stringify(published[subpath])) {
      messages.push(`exports["${subpath}"] differs from publishConfig.exports["${subpath}"]`);
    }
  }
  return messages;
}
