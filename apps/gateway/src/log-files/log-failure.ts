import { LogFileError, type LogFileFailure } from '@portcullis/plugin-runtime';
import { WrittenPart } from './adapters/write-whole.ts';
import { codeOf } from './adapters/folder.ts';

/** A link or something else that is no file stands where one should; there is no room; all else is the system's own trouble. */
const failures: Readonly<Record<string, LogFileFailure>> = {
  ELOOP: 'refused',
  ENOTDIR: 'refused',
  EISDIR: 'refused',
  ENXIO: 'refused',
  EMLINK: 'refused',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
};

const messages: Readonly<Record<LogFileFailure, string>> = {
  refused: 'the path leads over a link, or to what is no file',
  full: 'there is no room for more',
  failed: 'the system does not let the file be written',
};

/** An error of the system's as plugins get it: it names no place. */
export function logFailure(error: unknown): LogFileError {
  if (error instanceof LogFileError) return error;
  const cause = error instanceof WrittenPart ? error.cause : error;
  const code = codeOf(cause) ?? '';
  const failure = Object.hasOwn(failures, code) ? (failures[code] ?? 'failed') : 'failed';
  const said = failure === 'failed' && code !== '' ? `${messages.failed}: ${code}` : messages[failure];
  return new LogFileError(failure, said, { cause });
}
