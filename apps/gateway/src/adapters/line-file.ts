import { write } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';

const writeTo = promisify(write);

/** A full pipe is tried again after so many milliseconds. */
const retryMs = 20;

/** Standard output's descriptor. */
const standardOutput = 1;

/** Where lines are appended. */
export interface LineFile {
  /** @throws the system's error when the bytes cannot be written */
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a file for appending, or standard output. Writing never blocks the event loop.
 * @throws the system's error when the file cannot be opened
 */
export async function openLineFile(path: string | undefined): Promise<LineFile> {
  if (path === undefined) {
    return { append: (bytes) => writeWhole(standardOutput, bytes), close: async () => undefined };
  }
  const file = await open(path, 'a', 0o640);
  return { append: (bytes) => writeWhole(file.fd, bytes), close: () => file.close() };
}

async function writeWhole(descriptor: number, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    try {
      const { bytesWritten } = await writeTo(descriptor, bytes, written, bytes.length - written, null);
      written += bytesWritten;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}
