import { readStream } from './read-stream.ts';

/** All of standard input. @throws CommandFailure beyond `bytesMax` bytes, or when it cannot be read */
export function readStandardInput(bytesMax: number): Promise<Buffer> {
  return readStream(() => process.stdin, 'standard input', bytesMax);
}
