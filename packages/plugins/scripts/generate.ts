/**
 * Brings the generated parts up to date: the registry of plugin folders and the field tables of their READMEs.
 * Run: `pnpm --filter @portcullis/plugins generate`. A test says when it has to run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFieldTable } from './field-table.ts';
import { pluginFolders, registryText } from './registry-text.ts';

const source = join(import.meta.dirname, '../src');
writeFileSync(join(source, 'registry.gen.ts'), registryText(pluginFolders(source)));

// Only now: the catalogue reads the registry that was just written.
const { pluginCatalogue } = await import('../src/index.ts');
for (const { name, jsonSchema } of pluginCatalogue.values()) {
  const path = join(source, name, 'README.md');
  writeFileSync(path, withFieldTable(readFileSync(path, 'utf8'), jsonSchema()));
}
