import { answerAs, unknownAnswer } from '../api/answer-as.ts';
import { exportSchema } from '../api/answers.ts';
import { openSession } from '../api/session.ts';
import type { Success } from '../api/session.ts';
import { withProgress } from '../bundle/with-progress.ts';
import { CommandFailure, exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { printOutcome } from '../output/document.ts';
import { outputFile } from '../output/output-file.ts';
import { printData } from '../output/terminal.ts';
import { replaceFile } from '../replace-file.ts';

/** Options of `gwctl export`. */
export interface ExportOptions extends GlobalOptions {
  readonly tenantId?: string;
  readonly format?: BundleFormat;
  readonly output?: string;
  readonly ids: boolean;
}

type BundleFormat = 'json' | 'yaml';

/** Prints a tenant's configuration as a bundle, or writes it to a file as a whole. Secrets in it are masks. */
export async function exportBundle(options: ExportOptions): Promise<number> {
  const format = formatOf(options);
  const session = await openSession(options, 'read');
  const query = { tenant_id: session.tenantId, format, ids: options.ids };
  const answer = await withProgress('exporting', () =>
    session.call('GET', '/api/v1/admin/config/export', { query, accept: `application/${format}` }),
  );
  const text = textOf(answer, format);
  if (options.output === undefined) {
    printData(text);
    return exitCodes.done;
  }
  const file = outputFile(options.output, `${session.tenantId ?? 'bundle'}.${format}`);
  replaceFile(file, text);
  const written = { file, format, bytes: Buffer.byteLength(text) };
  await printOutcome(options.outputFormat, written, `exported to ${file} (${written.bytes} bytes)`);
  return exitCodes.done;
}

/** `--format`, else the file's suffix, else what is printed, else JSON. */
function formatOf({ format, output, outputFormat }: ExportOptions): BundleFormat {
  if (format !== undefined) return format;
  if (output !== undefined) return /\.ya?ml$/i.test(output) ? 'yaml' : 'json';
  return outputFormat === 'yaml' ? 'yaml' : 'json';
}

/** JSON is laid out so that versions of it can be compared line by line. @throws CommandFailure for what is no bundle */
function textOf(answer: Success, format: BundleFormat): string {
  if (format === 'json') {
    return `${JSON.stringify(answerAs(answer, exportSchema), null, 2)}\n`;
  }
  const { body } = answer;
  if (typeof body === 'string' && /^tenant_id:/m.test(body)) return body;
  throw new CommandFailure(unknownAnswer);
}
