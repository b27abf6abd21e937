import { LogFileError } from '@portcullis/plugin-runtime';
import type { Folder } from './adapters/folder.ts';
import { countFolder, type CountedFile } from './adapters/folder-bytes.ts';
import { isPutAside } from './rotation.ts';

/** How long a count of the folder holds, in milliseconds: other processes write there too, and operators remove files. */
export const ROOM_COUNT_MS = 2000;

/** What the room needs of its host. */
export interface TenantRoomPorts {
  /** The tenant's folder. */
  readonly path: string;
  readonly bytesMax: number;
  /** Opens a folder below it. */
  readonly openFolder: (parts: readonly string[]) => Promise<Folder>;
  readonly monotonicMs: () => number;
}

/**
 * The room that a tenant's files share. Where there is none left, the oldest of the files that were put aside goes, whichever path it is of:
 * what is written now is what somebody will look for. Of what other processes write it learns with the next count: so much more may
 * stand there.
 */
export class TenantRoom {
  readonly #ports: TenantRoomPorts;
  #bytes = 0;
  /** What may go, the oldest last. */
  #aside: CountedFile[] = [];
  #countedMs = Number.NEGATIVE_INFINITY;
  #counting: Promise<void> | undefined;

  constructor(ports: TenantRoomPorts) {
    this.#ports = ports;
  }

  /** Takes room before it is written to. @throws LogFileError `full`, by a rejection */
  async take(bytes: number): Promise<void> {
    await this.#countIfDue();
    while (this.#bytes + bytes > this.#ports.bytesMax) {
      const oldest = bytes > this.#ports.bytesMax ? undefined : this.#aside.pop();
      if (oldest === undefined) {
        throw new LogFileError('full', 'the files of the tenant have reached the bound of this gateway');
      }
      // First, so that nobody else who waits for room removes one more.
      this.#bytes -= oldest.bytes;
      // oxlint-disable-next-line no-await-in-loop -- no more go than must
      if (!(await this.#remove(oldest))) await this.#countIfDue();
    }
    this.#bytes += bytes;
  }

  /** A file was put aside: names stand for others now. */
  noteRotation(): void {
    this.#countedMs = Number.NEGATIVE_INFINITY;
  }

  /** @returns whether it is gone by this; the next count tells what became of it otherwise */
  async #remove({ parts, ino }: CountedFile): Promise<boolean> {
    const name = parts.at(-1) ?? '';
    const folder = await this.#ports.openFolder(parts.slice(0, -1));
    try {
      // Another process may have put a file aside since: the name is a younger one's then.
      const isSame = (await folder.find(name))?.ino === ino;
      if (isSame) await folder.remove(name);
      else this.noteRotation();
      return isSame;
    } catch (error) {
      this.noteRotation();
      throw error;
    } finally {
      await folder.close();
    }
  }

  async #countIfDue(): Promise<void> {
    if (this.#ports.monotonicMs() - this.#countedMs < ROOM_COUNT_MS) return;
    this.#counting ??= this.#count().finally(() => (this.#counting = undefined));
    await this.#counting;
  }

  async #count(): Promise<void> {
    const { bytes, files } = await countFolder(this.#ports.path);
    this.#bytes = bytes;
    this.#aside = files
      .filter(({ parts }) => isPutAside(parts))
      .toSorted((one, other) => other.changedMs - one.changedMs);
    this.#countedMs = this.#ports.monotonicMs();
  }
}
