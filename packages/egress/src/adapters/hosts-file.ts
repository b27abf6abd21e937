import { readFileSync, statSync } from 'node:fs';
import { addressesInHosts, parseHosts } from '../names/parse-hosts.ts';

/** Where the system keeps it. */
export const hostsFilePath: string =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/** The hosts file of this machine, read again when it was changed. */
export class HostsFile {
  readonly #path: string;
  #modifiedMs = -1;
  #names: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(path: string = hostsFilePath) {
    this.#path = path;
  }

  /** Addresses of a name; `undefined` when name servers have to be asked. @param name lower case */
  addressesOf(name: string): readonly string[] | undefined {
    this.#refresh();
    return addressesInHosts(this.#names, name);
  }

  #refresh(): void {
    try {
      const { mtimeMs } = statSync(this.#path);
      if (mtimeMs === this.#modifiedMs) return;
      this.#names = parseHosts(readFileSync(this.#path, 'utf8'));
      this.#modifiedMs = mtimeMs;
    } catch {
      // No file, or none that may be read: it says nothing, or what it said before.
    }
  }
}
