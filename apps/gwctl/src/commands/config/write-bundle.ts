import path from 'node:path';
import type { GlobalOptions } from '../../options.ts';
import { printOutcome } from '../../output/document.ts';
import { outputFile } from '../../output/output-file.ts';
import { printData } from '../../output/terminal.ts';
import { replaceFile } from '../../replace-file.ts';

/** Where a command that makes a bundle puts it. */
export interface BundleOutput extends GlobalOptions {
  /** A file or a folder; standard output when absent. */
  readonly output?: string;
  readonly format?: BundleFormat;
}

type BundleFormat = 'json' | 'yaml';

/**
 * Prints a bundle, or writes it to a file as a whole: as `--format` says, else as the file's suffix, else as what is printed,
 * else as YAML. @throws CommandFailure when it cannot
 */
export async function writeBundle(document: object, options: BundleOutput): Promise<void> {
  const { output, outputFormat } = options;
  const format = formatOf(options);
  const text =
    format === 'json'
      ? `${JSON.stringify(document, null, 2)}\n`
      : (await import('yaml')).stringify(document, { aliasDuplicateObjects: false, lineWidth: 120 });
  if (output === undefined) return printData(text);
  const file = outputFile(output, `${tenantOf(document)}.${format}`);
  replaceFile(file, text);
  const counts = countsOf(document);
  const sums = Object.entries(counts).map(([key, count]) => `${count} ${key}`);
  const written = { file, format, bytes: Buffer.byteLength(text), counts };
  await printOutcome(outputFormat, written, `${file}: ${sums.join(', ')}`);
}

function formatOf({ format, output, outputFormat }: BundleOutput): BundleFormat {
  if (format !== undefined) return format;
  if (output !== undefined) return path.extname(output).toLowerCase() === '.json' ? 'json' : 'yaml';
  return outputFormat === 'json' ? 'json' : 'yaml';
}

/** The name of a file of the bundle. One that no file can have stays out of it. */
function tenantOf(document: object): string {
  const said = 'tenant_id' in document ? document.tenant_id : undefined;
  return typeof said === 'string' && /^[\w-]+$/.test(said) ? said : 'bundle';
}

function countsOf(document: object): Readonly<Record<string, number>> {
  const lists = Object.entries(document).filter(([, list]) => Array.isArray(list));
  return Object.fromEntries(lists.map(([key, list]) => [key, (list as unknown[]).length]));
}
