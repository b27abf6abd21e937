import { StringDecoder } from 'node:string_decoder';
import { ExportLineError, parseExportLine } from '../records/export-line.ts';
import { createVerifier, type Verifier, type VerifierOptions } from './create-verifier.ts';
import type { Verdict } from './verdict.ts';

/** A line longer than this many UTF-16 units is no record. */
export const LINE_LENGTH_MAX: number = 16 * 1024 * 1024;

/**
 * Verifies an export that is read piece by piece: a file, a response. Keeps one line in memory, and stops to read as soon
 * as the outcome is certain. A last line without line break counts if it is whole, else the input was cut off.
 */
export async function verifyExport(
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  options: VerifierOptions,
): Promise<Verdict> {
  const verifier = createVerifier(options);
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split('\n');
    rest = lines.pop() ?? '';
    if (!lines.every((line) => verifier.pushLine(line))) return verifier.finish();
    // What is too long is not collected: it is handed over, and is no record.
    if (rest.length > LINE_LENGTH_MAX) return finishAtNonsense(verifier);
  }
  rest += decoder.end();
  if (rest === '') return verifier.finish();
  if (!isRecord(rest)) return verifier.finish({ isCut: true });
  verifier.pushLine(rest);
  return verifier.finish();
}

function finishAtNonsense(verifier: Verifier): Verdict {
  verifier.pushLine('');
  return verifier.finish();
}

function isRecord(line: string): boolean {
  try {
    parseExportLine(line);
    return true;
  } catch (error) {
    if (error instanceof ExportLineError) return false;
    throw error;
  }
}
