import { CommandFailure } from './failure.ts';

/** All of standard input. @throws CommandFailure beyond `bytesMax` bytes, or when it cannot be read */
export async function readStandardInput(bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new CommandFailure(`standard input is larger than ${bytesMax} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new CommandFailure(`standard input cannot be read (${String(code)})`);
  }
  return Buffer.concat(chunks);
}
