import type { ChainHead } from '../chain/heads.ts';
import type { RecordProblem } from './problem.ts';

/** How many of the last hashes are kept, to tell a record that stands there twice from one that was put in. */
export const HASHES_KEPT_MAX = 4096;

/** A record's place in a chain, as it says itself. */
export interface Place {
  readonly sequence: number;
  readonly previousHash: string;
  readonly hash: string;
}

/** A walk along one chain. Memory: the last hashes. */
export class ChainWalk {
  #head: ChainHead;
  readonly #hashesMax: number;
  readonly #hashes: string[] = [];

  /** `hashesMax`: how many of the last hashes are kept. Without any, every record of an old number counts as a duplicate. */
  constructor(head: ChainHead, hashesMax: number = 0) {
    this.#head = head;
    this.#hashesMax = hashesMax;
  }

  get head(): ChainHead {
    return this.#head;
  }

  /** Whether the record is the next one. */
  isNext(place: Place): boolean {
    return place.sequence === this.#head.sequence + 1 && place.previousHash === this.#head.hash;
  }

  advance(place: Place): void {
    this.#head = { sequence: place.sequence, hash: place.hash };
    if (this.#hashesMax > 0) this.#hashes[place.sequence % this.#hashesMax] = place.hash;
  }

  /** What it means that a record whose own hash fits is not the next one. */
  diagnose(place: Place): RecordProblem {
    const { sequence } = this.#head;
    if (place.sequence > sequence + 1) {
      return {
        kind: 'missing',
        detail: `number ${sequence + 1} is missing: ${place.sequence} comes after ${sequence}`,
      };
    }
    if (place.sequence === sequence + 1) {
      return {
        kind: 'rehashed',
        detail: `number ${place.sequence} continues another record than number ${sequence}`,
        back: 1,
      };
    }
    const isKept = sequence - place.sequence < this.#hashesMax;
    const known = isKept ? this.#hashes[place.sequence % this.#hashesMax] : undefined;
    if (known === undefined || known === place.hash) {
      return { kind: 'duplicate', detail: `number ${place.sequence} stands there twice` };
    }
    const back = sequence + 1 - place.sequence;
    return { kind: 'inserted', detail: `there are two records of number ${place.sequence}`, back };
  }
}
