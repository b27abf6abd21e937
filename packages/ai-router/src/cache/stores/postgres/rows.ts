import type { KeptAnswer } from '../../answer-store.ts';

/** A row as drivers give it: whole numbers of 64 bits come as text, numbers or `bigint`. */
export type Row = Readonly<Record<string, unknown>>;

/** A number of a row. */
export function numberOf(row: Row, field: string): number {
  return Number(row[field]);
}

/** The answer of a row. */
export function answerOf(row: Row): KeptAnswer {
  return {
    body: String(row['body']),
    provider: String(row['provider']),
    model: String(row['model']),
    storedAtMs: numberOf(row, 'stored_at'),
    expiresAtMs: numberOf(row, 'expires_at'),
  };
}

/** The prompt of a row, which is JSON text there. */
export function promptOf(row: Row): string {
  return String(JSON.parse(String(row['prompt'])));
}

/** A vector as PostgreSQL writes arrays (`{}`) or pgvector its vectors (`[]`). */
export function vectorText(vector: Float32Array, brackets: '{}' | '[]'): string {
  return `${brackets.charAt(0)}${vector.join(',')}${brackets.charAt(1)}`;
}

/** What PostgreSQL writes as an array of numbers. */
export function vectorOf(text: string): Float32Array {
  return new Float32Array(JSON.parse(`[${text.slice(1, -1)}]`) as readonly number[]);
}
