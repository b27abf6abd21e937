import { CommandFailure } from './failure.ts';

/**
 * All bytes of a stream.
 * @param opened gives the stream; what it throws is a failure to read, too
 * @param name what messages call it
 * @throws CommandFailure beyond `bytesMax` bytes, which are then not kept, or when it cannot be read
 */
export async function readStream(opened: () => AsyncIterable<Buffer>, name: string, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of opened()) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new CommandFailure(`${name} is larger than ${bytesMax} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new CommandFailure(code === 'ENOENT' ? `${name} does not exist` : `${name} cannot be read (${String(code)})`);
  }
  return Buffer.concat(chunks);
}
