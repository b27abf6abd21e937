import type { ApplyResult } from './chain-entry.ts';
import { passBytes, type BytesEntry, type PassEnd, type Stop } from './chunk-pass.ts';
import type { ExchangeState } from './exchange-state.ts';
import type { StreamChunk, StreamOutcome } from './stream-chunk.ts';

/** The hooks of the stream stage, in the order of responses. */
export class StreamRun {
  readonly #entries: readonly BytesEntry<ExchangeState>[];

  constructor(entries: readonly BytesEntry<ExchangeState>[]) {
    this.#entries = entries;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Passes one chunk through the hooks. */
  run(exchange: ExchangeState, { bytes, index, last }: StreamChunk): StreamOutcome | Promise<StreamOutcome> {
    const end = passBytes(this.#entries, exchange, bytes, (current) => new PassingChunk(current, index, last));
    return end instanceof Promise ? end.then((late) => outcomeOf(exchange, late)) : outcomeOf(exchange, end);
  }
}

/** How results of stream hooks are applied. @throws TypeError for what is none */
export const streamResults: ApplyResult<ExchangeState, Uint8Array | Stop> = (_exchange, result) => {
  if (typeof result === 'object' && result !== null) {
    if ('bytes' in result && result.bytes instanceof Uint8Array) return result.bytes;
    if ('cut' in result && typeof result.cut === 'string') return { reason: result.cut };
  }
  throw new TypeError('a stream hook returns nothing, bytes or a reason to cut');
};

function outcomeOf(exchange: ExchangeState, end: PassEnd<ExchangeState>): StreamOutcome {
  if (end === 'failed' || end instanceof Uint8Array) return end;
  const plugin = end.by.instance.identity.name;
  exchange.noteFailure({ code: 'plugin_cut', message: end.stop.reason.slice(0, REASON_LENGTH_MAX), plugin });
  return 'failed';
}

/** Longest reason of a cut that is kept, in characters. */
const REASON_LENGTH_MAX = 200;

/** The chunk as one hook sees it: assigning to it throws. */
class PassingChunk implements StreamChunk {
  readonly #bytes: Uint8Array;
  readonly #index: number;
  readonly #last: boolean;

  constructor(bytes: Uint8Array, index: number, last: boolean) {
    this.#bytes = bytes;
    this.#index = index;
    this.#last = last;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get index(): number {
    return this.#index;
  }

  get last(): boolean {
    return this.#last;
  }
}
