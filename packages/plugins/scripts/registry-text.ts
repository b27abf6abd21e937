import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of `src/` that hold a plugin, which is one with a config. Their names are the plugins' names. */
export function pluginFolders(sourceFolder: string): readonly string[] {
  return readdirSync(sourceFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(sourceFolder, entry.name, 'config.ts')))
    .map(({ name }) => name)
    .toSorted();
}

/** The text of `registry.gen.ts` for these folders. */
export function registryText(folders: readonly string[]): string {
  const imports = folders.map((folder) => `import { ${camelCase(folder)} } from './${folder}/index.ts';`);
  return [
    '// Generated from the folders beside this file by scripts/generate.ts. Do not edit.',
    ...imports,
    "import type { BuiltIn } from './shared/built-in.ts';",
    '',
    '/** Every built-in plugin, by name. */',
    'export const registry: readonly BuiltIn[] = [',
    ...folders.map((folder) => `  ${camelCase(folder)},`),
    '];',
    '',
  ].join('\n');
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
