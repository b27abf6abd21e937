import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DocumentationAssets } from '../documentation-operations.ts';

/** The only files that are served, with their types. */
const contentTypes: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
};

/** The documentation page's files from the installed package `swagger-ui-dist`. */
export function createSwaggerAssets(): DocumentationAssets {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return {
    async read(fileName) {
      const contentType = Object.hasOwn(contentTypes, fileName) ? contentTypes[fileName] : undefined;
      return contentType === undefined
        ? undefined
        : { contentType, text: await readFile(join(folder, fileName), 'utf8') };
    },
  };
}
