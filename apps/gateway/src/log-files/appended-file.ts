import { LogFileError } from '@portcullis/plugin-runtime';
import type { Folder, FoundFile, OpenFile } from './adapters/folder.ts';
import { writeWhole, WrittenPart } from './adapters/write-whole.ts';
import { logFailure } from './log-failure.ts';
import { rotate, type RotationRule } from './rotation.ts';
import type { TenantRoom } from './tenant-room.ts';

/** What a file that is appended to needs of its host. */
export interface AppendedFilePorts {
  readonly name: string;
  /** Opens the folder of the file, from the root on. */
  readonly openFolder: () => Promise<Folder>;
  readonly room: TenantRoom;
  readonly rotation: RotationRule;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

const LINE_END = new Uint8Array([0x0a]);

/**
 * One file that lines are appended to, one call after the other. Several processes may append to it: each call is one write at its end.
 * Before each the name is looked up: where it stands for another file, or for none, because somebody rotated or removed it, that is opened.
 */
export class AppendedFile {
  readonly #ports: AppendedFilePorts;
  #folder: Folder | undefined;
  #file: { readonly handle: OpenFile; readonly dev: number; readonly ino: number } | undefined;
  /** Whether the last call wrote a part of a line only. */
  #isTorn = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(ports: AppendedFilePorts) {
    this.#ports = ports;
  }

  /** Opens the file. A tenant without room gets no new ones, empty or not. @throws LogFileError, by a rejection */
  open(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#ports.room.take(0);
      await this.#current();
    });
  }

  /** See `LogFile.append`. */
  append(lines: Uint8Array): Promise<void> {
    return this.#inTurn(() => this.#append(lines));
  }

  /** Lets go of the file after what is under way; the next call opens it again. */
  release(): Promise<void> {
    return this.#inTurn(() => this.#letGo());
  }

  async #append(lines: Uint8Array): Promise<void> {
    if (lines.length === 0) return;
    const { room, rotation, name, nowMs } = this.#ports;
    const found = await this.#current();
    if (found.bytes > 0 && found.bytes + lines.length > rotation.fileBytesMax && this.#folder !== undefined) {
      await rotate(this.#folder, name, found.ino, rotation, nowMs());
      room.noteRotation();
      await this.#current();
    }
    // After the rotation: what it put aside may be what makes room.
    await room.take(lines.length);
    const handle = this.#file?.handle;
    if (handle === undefined) throw new LogFileError('failed', 'the file was let go');
    try {
      // What was torn stays a line by itself.
      if (this.#isTorn) await writeWhole(handle, LINE_END);
      this.#isTorn = false;
      await writeWhole(handle, lines);
    } catch (error) {
      if (error instanceof WrittenPart && error.written > 0) this.#isTorn = true;
      throw error;
    }
  }

  /** Makes sure that what is open is what the name stands for. */
  async #current(): Promise<FoundFile> {
    const known = await this.#folder?.find(this.#ports.name);
    if (known !== undefined && known.ino === this.#file?.ino && known.dev === this.#file.dev) return known;
    // The folder itself may have been removed, and made again elsewhere: all is looked up anew.
    await this.#letGo();
    const folder = await this.#ports.openFolder();
    this.#folder = folder;
    const handle = await folder.openFile(this.#ports.name);
    const { dev, ino, size, mtimeMs } = await handle.stat();
    this.#file = { handle, dev, ino };
    return { isFile: true, dev, ino, bytes: size, changedMs: mtimeMs };
  }

  async #letGo(): Promise<void> {
    const [file, folder] = [this.#file, this.#folder];
    this.#file = undefined;
    this.#folder = undefined;
    await file?.handle.close();
    await folder?.close();
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(step).catch((error: unknown) => {
      throw logFailure(error);
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
