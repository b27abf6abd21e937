import { createHash } from 'node:crypto';
import type * as v from 'valibot';
import type { sdkArchiveSchema } from '../api/answers.ts';
import { CommandFailure } from '../failure.ts';

/** What the control plane says of an archive, and the archive. */
export type SaidArchive = v.InferOutput<typeof sdkArchiveSchema>;

/** An archive that is what was said of it. */
export interface CheckedArchive {
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly said: SaidArchive;
}

/** Bytes of the longest name that common file systems take. */
const fileNameBytesMax = 255;

/**
 * Decodes an archive and holds it against all that is said of it: Base64, media type, size, SHA-256, name of the file.
 * @throws CommandFailure that names what is wrong, and nothing that was said, which may be made to look like something else
 */
export function checkedArchive(said: SaidArchive, target: string): CheckedArchive {
  if (said.target !== undefined && said.target !== target) throw notThat('it is for another target');
  if (said.media_type !== 'application/zip') throw notThat('its media type is not application/zip');
  if (!isFileName(said.file_name)) throw notThat('its file name is not one that may be written');
  const bytes = Buffer.from(said.content_base64, 'base64');
  // Buffer passes over whatever is no Base64; the encoding of what it read tells.
  if (bytes.toString('base64') !== said.content_base64) throw notThat('its content is not valid Base64');
  if (said.size_bytes !== bytes.length) {
    throw notThat(`it has ${bytes.length} bytes, and ${said.size_bytes} are declared`);
  }
  if (said.checksum_sha256 !== createHash('sha256').update(bytes).digest('hex')) {
    throw notThat('its SHA-256 checksum is another one');
  }
  return { fileName: said.file_name, bytes, said };
}

/** Whether a name stays in its folder on every system, shows as what it is, and is no hidden file. */
function isFileName(name: string): boolean {
  if (name === '' || Buffer.byteLength(name) > fileNameBytesMax || !name.isWellFormed()) return false;
  // Separators and what Windows gives a meaning, control characters, and characters that change the direction of text.
  if (/[/\\:*?"<>|\p{Cc}\p{Cf}\u2028\u2029]/u.test(name)) return false;
  return !name.startsWith('.') && !/[. ]$/.test(name);
}

function notThat(reason: string): CommandFailure {
  return new CommandFailure(`nothing was written: the archive is not what it should be: ${reason}`);
}
