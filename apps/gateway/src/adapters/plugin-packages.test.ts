import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { temporaryFolder } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { loadPluginPackages } from './plugin-packages.ts';

const pluginText = (name: string) =>
  `{ name: '${name}', version: '1.0.0', compile: () => ({ ok: false, issues: [] }) }`;

async function folderOf(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(folder.join(path)), { recursive: true });
    await writeFile(folder.join(path), text);
  }
  return folder;
}

const manifest = '{ "type": "module", "exports": { ".": { "default": "./index.js" } } }';

describe('loadPluginPackages', () => {
  it('finds packages from the folder, and files by their path', async () => {
    await using folder = await folderOf({
      'node_modules/acme-one/package.json': manifest,
      'node_modules/acme-one/index.js': `export const plugin = ${pluginText('one')};`,
      'more.mjs': `export const plugins = [${pluginText('two')}, ${pluginText('three')}];`,
    });
    const plugins = await loadPluginPackages(['acme-one', './more.mjs'], ['rate_limiter'], folder.path);
    expect(plugins.map(({ name }) => name)).toEqual(['one', 'two', 'three']);
    expect(await loadPluginPackages([], [], folder.path)).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['is not there', './missing.mjs', './missing.mjs cannot be loaded'],
    ['does not load', './throws.mjs', './throws.mjs cannot be loaded: broken'],
    ['brings no plugin', './empty.mjs', './empty.mjs: it exports neither plugin nor plugins'],
    ['brings something else', './other.mjs', './other.mjs: it exports neither plugin nor plugins'],
    ['brings a name that is taken', './taken.mjs', './taken.mjs: another one has a plugin rate_limiter too'],
  ])('says which package it is that %s', async (_name, path, message) => {
    await using folder = await folderOf({
      'throws.mjs': `throw new Error('broken\\nmore');`,
      'empty.mjs': 'export const plugins = [];',
      'other.mjs': 'export const plugin = { name: "x" };',
      'taken.mjs': `export const plugin = ${pluginText('rate_limiter')};`,
    });
    await expect(loadPluginPackages([path], ['rate_limiter'], folder.path)).rejects.toThrow(message);
  });
});
