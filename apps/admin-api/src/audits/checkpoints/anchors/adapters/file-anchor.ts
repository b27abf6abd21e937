import { open } from 'node:fs/promises';
import type { Anchor } from '../anchor.ts';
import { anchorLine } from '../anchor.ts';

/** Only the service's user reads it, unless the operator made it beforehand. */
const fileMode = 0o600;

/**
 * Appends checkpoints to a file, a line each, and waits until the disk has them. Opened for every one: a file that was moved
 * away by a rotation of logs is not written to for ever. Put it on another volume than the database.
 */
export function fileAnchor(path: string): Anchor {
  return {
    kind: 'file',
    async put(checkpoint) {
      const file = await open(path, 'a', fileMode);
      try {
        await file.appendFile(`${anchorLine(checkpoint)}\n`);
        await file.datasync();
      } finally {
        await file.close();
      }
    },
  };
}
