import { LogFileError } from '@portcullis/plugin-runtime';
import { folderBytes } from './adapters/folder-bytes.ts';

/** How long a count of the folder holds, in milliseconds: other processes write there too, and operators remove files. */
export const ROOM_COUNT_MS = 2000;

/** The room that a tenant's files share. Of what other processes write it learns with the next count: so much more may stand there. */
export class TenantRoom {
  readonly #path: string;
  readonly #bytesMax: number;
  readonly #monotonicMs: () => number;
  #bytes = 0;
  #countedMs = Number.NEGATIVE_INFINITY;
  #counting: Promise<void> | undefined;

  constructor(path: string, bytesMax: number, monotonicMs: () => number) {
    this.#path = path;
    this.#bytesMax = bytesMax;
    this.#monotonicMs = monotonicMs;
  }

  /** Takes room before it is written to. @throws LogFileError `full`, by a rejection */
  async take(bytes: number): Promise<void> {
    if (this.#monotonicMs() - this.#countedMs >= ROOM_COUNT_MS) {
      this.#counting ??= this.#count().finally(() => (this.#counting = undefined));
      await this.#counting;
    }
    if (this.#bytes + bytes > this.#bytesMax) {
      throw new LogFileError('full', 'the files of the tenant have reached the bound of this gateway');
    }
    this.#bytes += bytes;
  }

  async #count(): Promise<void> {
    this.#bytes = await folderBytes(this.#path);
    this.#countedMs = this.#monotonicMs();
  }
}
