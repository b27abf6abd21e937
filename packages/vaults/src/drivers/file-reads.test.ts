import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boundedFileReads, FILE_READS_MAX, FILE_TIMEOUT_MS } from './file-reads.ts';
import type { ReadSecretFile, SecretFileOutcome } from './file.ts';

/** A file system whose reads end when the test says so. */
class HeldFiles {
  readonly begun: string[] = [];
  readonly #held: PromiseWithResolvers<SecretFileOutcome>[] = [];

  readonly read: ReadSecretFile = ({ path }) => {
    this.begun.push(path);
    const held = Promise.withResolvers<SecretFileOutcome>();
    this.#held.push(held);
    return held.promise;
  };

  /** Ends the oldest read, and lets who waits run. */
  async end(outcome: SecretFileOutcome | Error): Promise<void> {
    const held = this.#held.shift();
    if (outcome instanceof Error) held?.reject(outcome);
    else held?.resolve(outcome);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const file = (path: string) => ({ folder: '/vaults/acme', path, bytesMax: 10 });

describe('bounded reads of files', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  /** Begins reads; each tells its outcome or its failure. */
  const readerOf = (files: HeldFiles) => {
    const read = boundedFileReads(files.read);
    return (...paths: string[]) => Promise.all(paths.map((path) => read(file(path)).catch((error: unknown) => error)));
  };

  it('go on by turns, and give what the file system says', async () => {
    const files = new HeldFiles();
    const all = readerOf(files)('a', 'b', 'c', 'd');
    expect([files.begun, FILE_READS_MAX]).toEqual([['a', 'b'], 2]);
    await files.end('missing');
    expect(files.begun).toEqual(['a', 'b', 'c']);
    const broken = new Error('broken');
    await files.end(broken);
    await files.end(new Uint8Array([1]));
    await files.end('no_file');
    expect(await all).toEqual(['missing', broken, new Uint8Array([1]), 'no_file']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that hang are given up, and however many ask again, no more of them begin until one has ended', async () => {
    const files = new HeldFiles();
    const read = readerOf(files);
    const givenUp = { name: 'VaultError', code: 'unavailable' };
    for (const paths of [
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]) {
      const all = read(...paths);
      vi.advanceTimersByTime(FILE_TIMEOUT_MS);
      expect(await all).toMatchObject(paths.map(() => givenUp));
    }
    expect(files.begun).toEqual(['a', 'b']);
    const next = read('f');
    await files.end('missing');
    expect(files.begun).toEqual(['a', 'b', 'f']);
    await files.end('missing');
    await files.end('no_file');
    expect(await next).toEqual(['no_file']);
  });
});
