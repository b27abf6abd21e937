import { createReadStream } from 'node:fs';
import { CommandFailure } from '../../failure.ts';

/** Bytes of a line that are held in memory at most: more than any record has. */
const lineBytesMax = 256 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

/** A line, and whether its end was there. */
export interface ReadLine {
  readonly text: string;
  readonly isCut: boolean;
}

/**
 * The lines of a file or, for `-`, of standard input, one chunk in memory. Lines that are not UTF-8 come with what no export
 * has in place of it. @throws CommandFailure with the exit code when it cannot be read
 */
export async function* linesOf(given: string, exitCode: number): AsyncGenerator<readonly ReadLine[]> {
  const name = given === '-' ? 'standard input' : given;
  let rest: Buffer[] = [];
  let restBytes = 0;
  try {
    const stream = given === '-' ? process.stdin : createReadStream(given, { highWaterMark: chunkBytes });
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const end = chunk.lastIndexOf(10);
      if (end < 0) {
        rest.push(chunk);
        restBytes += chunk.length;
        if (restBytes > lineBytesMax)
          throw new CommandFailure(`${name} has a line of more than ${lineBytesMax} bytes`, [], exitCode);
        continue;
      }
      const whole = Buffer.concat([...rest, chunk.subarray(0, end)]).toString('utf8');
      rest = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
      restBytes = chunk.length - end - 1;
      yield whole.split('\n').map((text) => ({ text, isCut: false }));
    }
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : error;
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${String(code)})`;
    throw new CommandFailure(`${name} ${reason}`, [], exitCode);
  }
  if (restBytes > 0) yield [{ text: Buffer.concat(rest).toString('utf8'), isCut: true }];
}
