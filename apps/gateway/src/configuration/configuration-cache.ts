import { mkdir, open, readdir, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { markUsed, removeAbandoned, removeUnused, sealedPattern } from './cache-folders.ts';
import type { Seal } from './seal.ts';

/** Digits of a file's number, so that a listing shows the files in their order. */
const numberDigits = 10;

/** A larger number in a name was not given by a gateway, and is not counted on from. */
const numberMax = 10n ** 18n;

/** Characters that are sealed and written at once; in between everything else runs. */
const pieceCharacters = 256 * 1024;

/** Told of what is in the cache's folder and cannot be used. */
export type OnUnreadable = (file: string, reason: string) => void;

/** A configuration that was kept, to be read in pieces. */
export interface KeptConfiguration {
  readonly file: string;
  readonly pieces: () => Iterable<string>;
}

/** A file of the cache. Its number may have more digits than any that a gateway gives. */
interface NumberedFile {
  readonly name: string;
  readonly number: bigint;
}

/**
 * The last two configurations that this gateway served, sealed on disk, so that it can start without the control plane: the last
 * good one, and the one before in case its file is torn. They are in a folder of the token's own, so that gateways may share the base
 * folder, and each is sealed for its number: an older one does not become the newest by another name.
 */
export class ConfigurationCache {
  readonly #base: string;
  readonly #folder: string;
  readonly #seal: Seal;
  /** Number of the newest file that is known to be whole. */
  #good = 0n;
  /** Names of files that could not be opened. */
  readonly #bad = new Set<string>();

  /** @param base folder that caches of other tokens may share */
  constructor(base: string, seal: Seal) {
    this.#base = base;
    this.#folder = join(base, seal.owner);
    this.#seal = seal;
  }

  /** What can be opened, newest first, read as it is asked for. Torn, foreign and unreadable files are left out and told of. */
  async *load(onUnreadable: OnUnreadable): AsyncGenerator<KeptConfiguration> {
    for (const { name, number } of await this.#files(onUnreadable)) {
      const file = join(this.#folder, name);
      const text = await this.#open(file, number, onUnreadable);
      if (text === undefined) {
        this.#bad.add(name);
        continue;
      }
      this.#good = number;
      yield { file, pieces: () => piecesOf(text) };
    }
  }

  /**
   * Writes beside, syncs, renames: whenever the machine stops, a whole file is there. The text is sealed and written piece by
   * piece, so that the event loop is never held for long. Only then are older files removed.
   * @throws the system's error when the folder cannot be written
   */
  async save(lines: Iterable<string>): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await removeAbandoned(this.#folder, Date.now());
    const before = await this.#files();
    const sound = before.filter(({ name }) => !this.#bad.has(name));
    const number = nextNumber(this.#good, sound, before);
    const name = `configuration-${String(number).padStart(numberDigits, '0')}.sealed`;
    const temporary = join(this.#folder, `${name}.${process.pid}.tmp`);
    try {
      await this.#writeSynced(temporary, number, lines);
      await rename(temporary, join(this.#folder, name));
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined); // What is wrong with the folder is said already.
      throw error;
    }
    await syncFolder(this.#folder);
    const spare = sound.find((file) => file.number === this.#good) ?? sound.find((file) => file.number < number);
    this.#good = number;
    // A higher one that may be whole was written meanwhile, by another process with this token.
    await this.#remove(before.filter((file) => file !== spare && (file.number < number || !sound.includes(file))));
    await removeUnused(this.#base, this.#seal.owner, Date.now());
  }

  /** The gateway still serves what is kept here: others that clean up leave it. */
  async stillUsed(): Promise<void> {
    await markUsed(this.#folder, Date.now());
  }

  async #open(file: string, number: bigint, onUnreadable: OnUnreadable): Promise<Buffer | undefined> {
    const blob = await readFile(file).catch((error: unknown) => onUnreadable(file, codeOf(error)));
    if (blob === undefined) return undefined;
    const text = this.#seal.open(blob, `${number}`);
    if (text === undefined) {
      onUnreadable(file, 'it is damaged, has another name than it was written under, or is of another release');
    }
    return text;
  }

  async #remove(files: readonly NumberedFile[]): Promise<void> {
    for (const { name } of files) {
      this.#bad.delete(name);
      await rm(join(this.#folder, name), { force: true }).catch(() => undefined); // A folder, say: in nobody's way.
    }
  }

  async #writeSynced(path: string, number: bigint, lines: Iterable<string>): Promise<void> {
    const file = await open(path, 'w', 0o600);
    try {
      const sealing = this.#seal.sealing(`${number}`);
      await writeAll(file, sealing.begin);
      let piece = '';
      for (const line of lines) {
        piece += `${line}\n`;
        if (piece.length < pieceCharacters) continue;
        await writeAll(file, sealing.piece(piece));
        piece = '';
      }
      await writeAll(file, sealing.piece(piece));
      await writeAll(file, sealing.end());
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** The files, newest first. */
  async #files(onUnreadable?: OnUnreadable): Promise<readonly NumberedFile[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      const code = codeOf(error);
      if (code !== 'ENOENT') onUnreadable?.(this.#folder, code); // There is no folder before the first configuration.
      return [];
    });
    return names
      .flatMap((name) => {
        const digits = sealedPattern.exec(name)?.[1];
        return digits === undefined ? [] : [{ name, number: BigInt(digits) }];
      })
      .toSorted((left, right) => (left.number < right.number ? 1 : -1));
  }
}

/** Above all files that may be whole. None that is there is written over. */
function nextNumber(good: bigint, sound: readonly NumberedFile[], all: readonly NumberedFile[]): bigint {
  const taken = new Set(all.map(({ number }) => number));
  let number = good;
  for (const file of sound) if (file.number > number && file.number < numberMax) number = file.number;
  do number += 1n;
  while (taken.has(number));
  return number;
}

function* piecesOf(text: Buffer): Generator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (let at = 0; at < text.length; at += pieceCharacters) {
    yield decoder.decode(text.subarray(at, at + pieceCharacters), { stream: true });
  }
  yield decoder.decode();
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  let at = 0;
  while (at < bytes.length) at += (await file.write(bytes, at)).bytesWritten;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The cache of a worker whose node has another one that writes it. */
export class ReadCache extends ConfigurationCache {
  override async save(): Promise<void> {
    // Written once, by the worker that does.
  }
}
