/** Writes the sizes of the bundles into the README. Run: `pnpm --filter @portcullis/plugin-runtime sizes`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleSizes, sizeTable, TABLE } from './bundle-sizes.ts';

const path = join(import.meta.dirname, '../README.md');
const table = sizeTable(await bundleSizes());
writeFileSync(path, readFileSync(path, 'utf8').replace(TABLE, table));
process.stdout.write(`${table}\n`);
