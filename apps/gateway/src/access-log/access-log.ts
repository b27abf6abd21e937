import { openLineFile, type LineFile } from '../adapters/line-file.ts';

/** Bounds of the access log. */
export const accessLogLimits = {
  /** Bytes that wait to be written. Lines beyond are dropped and counted: a slow disk must not eat the memory. */
  waitingBytesMax: 4 * 1024 * 1024,
  /** Lines are written after this at the latest. */
  flushMs: 100,
  /** A pipe takes so much in one piece, whoever else writes to it. */
  pieceBytes: 4096,
} as const;

/** Lines on their way to a file or to standard output. Nothing in it blocks the event loop. */
export class AccessLog {
  readonly #path: string | undefined;
  #file: LineFile;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #failure = '';

  /**
   * @param destination `stdout` or the path of a file, which is appended to
   * @throws the system's error when the file cannot be opened
   */
  static async open(destination: string): Promise<AccessLog> {
    const path = destination === 'stdout' ? undefined : destination;
    return new AccessLog(path, await openLineFile(path));
  }

  private constructor(path: string | undefined, file: LineFile) {
    this.#path = path;
    this.#file = file;
  }

  /** Lines that were dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Why the last write failed; empty when it did not. */
  get failure(): string {
    return this.#failure;
  }

  /** Takes a line with its line feed. */
  push(line: string): void {
    if (this.#waitingBytes + line.length > accessLogLimits.waitingBytesMax) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    this.#timer ??= setTimeout(() => this.#flush(), accessLogLimits.flushMs).unref();
  }

  /** After the file was moved away: goes on in a new one of the same name. The old one stays when that cannot be opened. */
  async reopen(): Promise<void> {
    await this.#writing;
    const before = this.#file;
    try {
      this.#file = await openLineFile(this.#path);
    } catch (error) {
      this.#failure = codeOf(error);
      return;
    }
    await this.#writing; // A write may have begun meanwhile, on the old file.
    await before.close();
  }

  /** Writes what waits and closes. */
  async close(): Promise<void> {
    await this.#writing;
    this.#flush();
    await this.#writing;
    await this.#file.close();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing !== undefined || this.#waiting.length === 0) return;
    const lines = this.#waiting;
    this.#waiting = [];
    this.#writing = this.#writeLines(lines).finally(() => {
      this.#writing = undefined;
      if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#flush(), accessLogLimits.flushMs).unref();
    });
  }

  async #writeLines(lines: readonly string[]): Promise<void> {
    const file = this.#file;
    let from = 0;
    while (from < lines.length) {
      const to = pieceEnd(lines, from);
      const piece = lines.slice(from, to).join('');
      try {
        await file.append(Buffer.from(piece, 'utf8'));
        this.#failure = '';
      } catch (error) {
        this.#failure = codeOf(error);
        this.#dropped += to - from;
      }
      this.#waitingBytes -= piece.length;
      from = to;
    }
  }
}

/** Whole lines that fit one piece; at least one. */
function pieceEnd(lines: readonly string[], from: number): number {
  let bytes = 0;
  let at = from;
  while (at < lines.length) {
    bytes += Buffer.byteLength(lines[at] ?? '');
    if (bytes > accessLogLimits.pieceBytes && at > from) break;
    at += 1;
  }
  return at;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}
