import type { FileHandle } from 'node:fs/promises';

/**
 * Writes all bytes. What a disk takes only a part of is gone on with, until it takes nothing.
 * @throws the system's error; `written` of {@link WrittenPart} says how far it came
 */
export async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- nearly always once
      const { bytesWritten } = await file.write(bytes, written, bytes.length - written, null);
      written += bytesWritten;
    } catch (error) {
      throw new WrittenPart(written, { cause: error });
    }
  }
}

/** What was given did not go out whole. `cause` is the system's error. */
export class WrittenPart extends Error {
  override readonly name = 'WrittenPart';
  readonly written: number;

  constructor(written: number, options: ErrorOptions) {
    super('a part was written', options);
    this.written = written;
  }
}
