import type { VectorQuery } from '../answer-store.ts';

/** Entries of one partition whose vectors are compared: so many take about a millisecond. Source: ai, Caches. */
export const TABLE_ROWS_MAX = 2000;

/** Rows of a new table. */
const ROWS_MIN = 4;

/** What stands beside a vector. It notes where in the table it is. */
export interface TableRow {
  readonly vector: Float32Array;
  row: number;
}

/** A row, and how like it is to what was asked. */
export interface ScoredRow<Row> {
  readonly item: Row;
  readonly similarity: number;
}

/** Vectors of one partition, one after another in one piece of memory: they are compared one by one. */
export class VectorTable<Row extends TableRow> {
  readonly #dimensions: number;
  #values: Float32Array;
  readonly #rows: Row[] = [];

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#values = new Float32Array(ROWS_MIN * dimensions);
  }

  get dimensions(): number {
    return this.#dimensions;
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  add(item: Row): void {
    const at = this.#rows.length;
    const needed = (at + 1) * this.#dimensions;
    if (needed > this.#values.length) {
      const grown = new Float32Array(Math.min(TABLE_ROWS_MAX, 2 * at) * this.#dimensions);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values.set(item.vector, at * this.#dimensions);
    item.row = at;
    this.#rows.push(item);
  }

  /** The last row takes its place. */
  remove({ row }: Row): void {
    const last = this.#rows.pop();
    if (last === undefined || last.row === row) return;
    const from = last.row * this.#dimensions;
    this.#values.copyWithin(row * this.#dimensions, from, from + this.#dimensions);
    last.row = row;
    this.#rows[row] = last;
  }

  /** Rows that are like enough, the likest first. @param isLive whether a row still counts */
  find({ vector, similarityMin, limit }: VectorQuery, isLive: (row: Row) => boolean): readonly ScoredRow<Row>[] {
    const found: ScoredRow<Row>[] = [];
    if (vector.length !== this.#dimensions) return found;
    let least = similarityMin;
    for (const item of this.#rows) {
      const similarity = this.#cosine(vector, item.row * this.#dimensions);
      if (similarity < least || !isLive(item)) continue;
      insert(found, { item, similarity }, limit);
      const last = found.length === limit ? found.at(-1) : undefined;
      if (last !== undefined) least = Math.max(least, last.similarity);
    }
    return found;
  }

  /** Four sums at a time, which do not wait for each other. */
  #cosine(vector: Float32Array, start: number): number {
    const values = this.#values;
    const { length } = vector;
    let [one, two, three, four] = [0, 0, 0, 0];
    let at = 0;
    for (; at + 3 < length; at += 4) {
      one += (vector[at] as number) * (values[start + at] as number);
      two += (vector[at + 1] as number) * (values[start + at + 1] as number);
      three += (vector[at + 2] as number) * (values[start + at + 2] as number);
      four += (vector[at + 3] as number) * (values[start + at + 3] as number);
    }
    for (; at < length; at += 1) one += (vector[at] as number) * (values[start + at] as number);
    return one + two + three + four;
  }
}

function insert<Row>(found: ScoredRow<Row>[], scored: ScoredRow<Row>, limit: number): void {
  let at = found.length;
  while (at > 0 && (found[at - 1]?.similarity ?? 0) < scored.similarity) at -= 1;
  if (at >= limit) return;
  found.splice(at, 0, scored);
  if (found.length > limit) found.pop();
}
