import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Seal } from './seal.ts';

const filePattern = /^configuration-(\d{10})\.sealed$/;

/** How many configurations are kept: the last good one, and the one before in case its file is torn. */
const keptMax = 2;

/** Told of what is in the cache's folder and cannot be used. */
export type OnUnreadable = (file: string, reason: string) => void;

/** The last configurations that this gateway served, sealed on disk, so that it can start without the control plane. */
export class ConfigurationCache {
  readonly #folder: string;
  readonly #seal: Seal;

  constructor(folder: string, seal: Seal) {
    this.#folder = folder;
    this.#seal = seal;
  }

  /** The texts that can be opened, newest first. Torn, foreign and unreadable files are left out and told of. */
  async load(onUnreadable: OnUnreadable): Promise<readonly string[]> {
    const texts: string[] = [];
    for (const name of await this.#files(onUnreadable)) {
      const path = join(this.#folder, name);
      const blob = await readFile(path).catch((error: unknown) => onUnreadable(path, codeOf(error)));
      if (blob === undefined) continue;
      const text = this.#seal.open(blob);
      if (text === undefined) onUnreadable(path, 'it is damaged, or was sealed with another token');
      else texts.push(text);
    }
    return texts;
  }

  /**
   * Writes beside, syncs, renames: whenever the machine stops, a whole file is there.
   * @throws the system's error when the folder cannot be written
   */
  async save(text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const [newest] = await this.#files();
    const number = Number(filePattern.exec(newest ?? '')?.[1] ?? 0) + 1;
    const name = `configuration-${String(number).padStart(10, '0')}.sealed`;
    const temporary = join(this.#folder, `${name}.${process.pid}.tmp`);
    await writeSynced(temporary, this.#seal.close(text));
    await rename(temporary, join(this.#folder, name));
    await syncFolder(this.#folder);
    for (const old of (await this.#files()).slice(keptMax)) await rm(join(this.#folder, old), { force: true });
  }

  async #files(onUnreadable?: OnUnreadable): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      const code = codeOf(error);
      if (code !== 'ENOENT') onUnreadable?.(this.#folder, code); // There is no folder before the first configuration.
      return [];
    });
    return names
      .filter((name) => filePattern.test(name))
      .toSorted()
      .toReversed();
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}

async function writeSynced(path: string, blob: Buffer): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(blob);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
