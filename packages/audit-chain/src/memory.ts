import type { LogAppend, LogPrune, LogRecord, LogStorage, StoredHead } from './log/log-storage.ts';
import { GLOBAL_CHAIN } from './log/log-storage.ts';
import { disclosuresText } from './storage/disclosures-text.ts';

/** A log in memory, for tests and for logs that live as long as their process. */
export function createMemoryStorage(): LogStorage {
  const heads = new Map<string, StoredHead>();
  const records = new Map<number, LogRecord>();
  const nodes = new Map<string, string>();
  const checkpoints = new Map<number, string>();
  let firstSequence = 1;
  const notesBySize = () => [...checkpoints].toSorted(([a], [b]) => a - b);

  function store(append: LogAppend): boolean {
    if ((heads.get(GLOBAL_CHAIN)?.sequence ?? 0) !== append.expected) return false;
    for (const [chain, head] of append.heads) heads.set(chain, head);
    for (const record of append.records) records.set(record.global_sequence, record);
    for (const { level, position, hash } of append.nodes) nodes.set(`${level}/${position}`, hash);
    return true;
  }

  function remove({ upTo, kept, heads: pruned }: LogPrune): void {
    for (; firstSequence <= upTo; firstSequence++) records.delete(firstSequence);
    const keptKeys = new Set(kept.map(({ level, position }) => `${level}/${position}`));
    for (const key of nodes.keys()) {
      const [level = 0, position = 0] = key.split('/').map(Number);
      if ((position + 1) * 2 ** level <= upTo && !keptKeys.has(key)) nodes.delete(key);
    }
    for (const [chain, head] of pruned) heads.set(chain, head);
  }

  return {
    readHeads: async (chains) => new Map([...heads].filter(([chain]) => chains.includes(chain))),
    readHeadsOf: async (prefix) => new Map([...heads].filter(([chain]) => chain.startsWith(prefix))),
    append: async (append) => store(append),
    async readRecords(from, limit): Promise<readonly LogRecord[]> {
      const last = heads.get(GLOBAL_CHAIN)?.sequence ?? 0;
      const found: LogRecord[] = [];
      for (let sequence = Math.max(from, firstSequence); sequence <= last && found.length < limit; sequence++) {
        const record = records.get(sequence);
        if (record !== undefined) found.push(record);
      }
      return found;
    },
    readNode: async (level, position) => nodes.get(`${level}/${position}`),
    async replaceDisclosures(sequence, expected, next): Promise<boolean> {
      const record = records.get(sequence);
      if (record === undefined || disclosuresText(record.disclosures) !== disclosuresText(expected)) return false;
      records.set(sequence, { ...record, disclosures: next });
      return true;
    },
    async saveCheckpoint(size, note): Promise<void> {
      if (!checkpoints.has(size)) checkpoints.set(size, note);
    },
    readCheckpoints: async (after, limit) =>
      notesBySize()
        .filter(([size]) => size > after)
        .slice(0, limit)
        .map(([, note]) => note),
    readLastCheckpoint: async () => notesBySize().at(-1)?.[1],
    prune: async (prune) => remove(prune),
  };
}
