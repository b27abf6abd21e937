import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { packageFolder } from './bundle.ts';

/** The names and licences of the third-party packages that a bundle holds: their licences ask to be handed on. */
export function notices({ inputs }: Metafile): string {
  const folders = new Set(Object.keys(inputs).flatMap((input) => thirdPartyFolder(path.resolve(packageFolder, input))));
  return [...folders]
    .map(notice)
    .toSorted()
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function thirdPartyFolder(file: string): string[] {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
  return folder === undefined ? [] : [folder];
}

/** @throws Error for a package without a licence: it could not be handed on */
function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
  const [file] = globSync(['LICEN[CS]E*', 'licen[cs]e*'], { cwd: folder });
  if (license === undefined) throw new Error(`${folder} says no licence`);
  const text = file === undefined ? '' : `\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}
