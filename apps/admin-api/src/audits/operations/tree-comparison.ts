import type { CompactRange } from '@portcullis/audit-chain';
import type { Executor } from '../../database/database.ts';
import { isKeptNode } from '../chain/kept-levels.ts';
import type { FirstInvalid } from './verify-log.ts';

interface MadeNode {
  readonly level: number;
  readonly position: number;
  readonly hash: string;
}

/** Builds a log's tree anew and compares the stored nodes with it. */
export function treeComparison(executor: Executor, chain: string, range: CompactRange) {
  let made: MadeNode[] = [];
  return {
    append(leaf: string): void {
      range.append(leaf, (level, position, hash) => {
        if (isKeptNode(level)) made.push({ level, position, hash });
      });
    },
    hashes: (): readonly string[] => range.hashes,
    /** Compares the nodes that were completed since the last call. */
    async compare(): Promise<FirstInvalid | undefined> {
      const due = made;
      made = [];
      for (const { level, position, hash } of due) {
        const stored = await executor
          .selectFrom('audit_nodes')
          .select('hash')
          .where('chain', '=', chain)
          .where('level', '=', level)
          .where('position', '=', position)
          .executeTakeFirst();
        if (stored?.hash === hash) continue;
        const detail = `the stored node ${position} of level ${level} is not that of its records`;
        return { sequence: position * 2 ** level + 1, id: null, kind: 'node_edited', detail };
      }
      return undefined;
    },
  };
}
