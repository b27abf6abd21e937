import { answerAs } from '../api/answer-as.ts';
import { openSession } from '../api/session.ts';
import type { DiffAnswer } from '../bundle/bundle-answers.ts';
import { diffText, problemLines } from '../bundle/bundle-text.ts';
import { exitCodes } from '../failure.ts';
import { readInputFile } from '../input-file.ts';
import type { GlobalOptions } from '../options.ts';
import { printDocument } from '../output/document.ts';

/** Options of `gwctl diff`. */
export interface DiffOptions extends GlobalOptions {
  readonly tenantId?: string;
  readonly strict?: boolean;
}

/** Compares a bundle with the live state: exit code 2 tells scripts that something differs. */
export async function diff(options: DiffOptions, file: string): Promise<number> {
  const input = await readInputFile(file);
  const session = await openSession(options, 'read');
  const { body } = await session.call('POST', '/api/v1/admin/config/diff', {
    query: { tenant_id: session.tenantId, strict: options.strict },
    body: input.text,
    contentType: input.contentType,
  });
  const answer = answerAs<DiffAnswer>(body, ['in_sync', 'summary', 'changes', 'errors', 'warnings']);
  await printDocument(options.outputFormat, body, () =>
    [
      ...problemLines(answer.errors, 'error', file, input.positions),
      ...problemLines(answer.warnings, 'warning', file, input.positions),
      diffText(answer),
    ].join('\n'),
  );
  if (answer.errors.length > 0) return exitCodes.failed;
  return answer.in_sync ? exitCodes.done : exitCodes.differences;
}
