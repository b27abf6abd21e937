/**
 * Hands a parsed document from one thread to another in pieces, so that the receiver never unpacks more than a few
 * milliseconds' worth at a time. Strings count by their length too.
 */
const valuesPerPiece = 8_000;
const charactersPerValue = 256;

/** A value and where it belongs: in the container of that number, under that key. One with a number is filled later. */
type Entry = readonly [container: number, key: string | number, value: unknown, number?: number];

/** Some values of a document, in its order. */
export type DocumentPiece = readonly Entry[];

type Container = Record<string, unknown> | unknown[];

/** The pieces of a document, each of at most about `budget` values. Putting them together needs them in this order. */
export function* piecesOf(document: unknown, budget: number = valuesPerPiece): Generator<DocumentPiece> {
  const heavy = new Set<object>();
  weigh(document, budget, heavy);
  let piece: Entry[] = [];
  let weight = 0;
  let containers = 1;
  function* put(container: number, key: string | number, value: unknown): Generator<DocumentPiece> {
    if (isContainer(value) && heavy.has(value)) {
      const number = containers;
      containers += 1;
      weight += 1;
      piece.push([container, key, Array.isArray(value) ? [] : {}, number]);
      const inside = Array.isArray(value) ? value.entries() : Object.entries(value);
      for (const [innerKey, inner] of inside) yield* put(number, innerKey, inner);
    } else {
      weight += weigh(value, budget, heavy);
      piece.push([container, key, value]);
    }
    if (weight < budget) return;
    yield piece;
    piece = [];
    weight = 0;
  }
  yield* put(0, rootKey, document);
  if (piece.length > 0) yield piece;
}

/** Puts a document together again. */
export class DocumentAssembly {
  readonly #containers: Container[] = [{}];

  /** Takes the next piece. */
  add(piece: DocumentPiece): void {
    for (const [container, key, value, number] of piece) {
      const parent = this.#containers[container];
      if (parent === undefined) throw new RangeError('a piece came before the one that it belongs to');
      // The parser lets no `__proto__` through.
      (parent as Record<string | number, unknown>)[key] = value;
      if (number !== undefined) this.#containers[number] = value as Container;
    }
  }

  /** The document, once all pieces were added. */
  document(): unknown {
    return (this.#containers[0] as Record<string, unknown>)[rootKey];
  }
}

const rootKey = 'document';

/** How many values there are in a value; what holds more than the budget is noted as heavy. */
function weigh(value: unknown, budget: number, heavy: Set<object>): number {
  if (typeof value === 'string') return 1 + value.length / charactersPerValue;
  if (!isContainer(value)) return 1;
  let weight = 1;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) weight += weigh(inner, budget, heavy);
  if (weight > budget) heavy.add(value);
  return weight;
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}
