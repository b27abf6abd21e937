import { describe, expect, it } from 'vitest';
import { withProgress } from './with-progress.ts';

describe('progress', () => {
  it('is drawn on a terminal while work goes on, and gone when it ends', async () => {
    const written: string[] = [];
    const drawn = Promise.withResolvers<void>();
    const screen = {
      isTTY: true,
      write: (text: string) => {
        written.push(text);
        drawn.resolve();
      },
    };
    const work = async (): Promise<number> => {
      await drawn.promise;
      return 7;
    };
    expect(await withProgress('applying', work, screen)).toBe(7);
    expect(written[0]?.replace(/\d+/, 'N')).toBe('\r\u001B[Kapplying… N s\r');
    expect(written.at(-1)).toBe('\r\u001B[K');
  });

  it('is not drawn where nobody watches, nor for work that is done at once', async () => {
    const written: string[] = [];
    const write = (text: string): void => void written.push(text);
    await expect(withProgress('x', () => Promise.reject(new Error('no')), { write })).rejects.toThrow('no');
    expect(await withProgress('x', () => Promise.resolve(1), { isTTY: true, write })).toBe(1);
    expect(written).toEqual([]);
  });
});
