import type { AiOperation } from '../operation.ts';
import type { StreamChunk } from '../providers/adapter.ts';
import type { SurfaceStream } from '../surfaces/surface.ts';

const encoder = new TextEncoder();
const DONE = 'data: [DONE]\n\n';
const MESSAGE_STOP = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';

/**
 * Writes the events of one stream for the client. Frames that came in the client's own form go on as the bytes that came: neighbours of one
 * piece from the network leave as one piece, without a copy.
 */
export class StreamOutput {
  readonly #form: AiOperation;
  readonly #surface: SurfaceStream | undefined;
  readonly #passesUsageOnly: boolean;
  #pieces: Uint8Array[] = [];
  /** Frames that came one behind the other in memory, as one. */
  #run: Uint8Array | undefined;
  #runLength = 0;
  #text = '';

  /**
   * @param form of the events
   * @param surface turns them into the client's form, when that is another
   * @param passesUsageOnly whether chunks that hold nothing but usage are for the client
   */
  constructor(form: AiOperation, surface: SurfaceStream | undefined, passesUsageOnly: boolean) {
    this.#form = form;
    this.#surface = surface;
    this.#passesUsageOnly = passesUsageOnly;
  }

  chunk(chunk: StreamChunk): void {
    if (this.#surface !== undefined) {
      this.#text += this.#surface.push(chunk);
      return;
    }
    if (chunk.isUsageOnly === true && !this.#passesUsageOnly) return;
    if (chunk.bytes === undefined) this.#text += frameOf(chunk);
    else this.#bytes(chunk.bytes);
  }

  /** What keeps connections alive while a provider thinks: it goes on in every form. */
  comment(bytes: Uint8Array): void {
    this.#bytes(bytes);
  }

  /** The stream's proper end. @param bytes the provider's own frame of it */
  done(bytes?: Uint8Array): void {
    if (this.#surface !== undefined) this.#text += this.#surface.end();
    else if (bytes !== undefined) this.#bytes(bytes);
    else this.#text += endOf(this.#form);
  }

  /** What was written since the last call, in one piece. */
  take(): Uint8Array | undefined {
    this.#flushText();
    this.#flushRun();
    const pieces = this.#pieces;
    if (pieces.length === 0) return undefined;
    this.#pieces = [];
    return pieces.length === 1 ? pieces[0] : joined(pieces);
  }

  #bytes(bytes: Uint8Array): void {
    this.#flushText();
    const run = this.#run;
    if (run?.buffer === bytes.buffer && run.byteOffset + this.#runLength === bytes.byteOffset) {
      this.#runLength += bytes.byteLength;
      return;
    }
    this.#flushRun();
    this.#run = bytes;
    this.#runLength = bytes.byteLength;
  }

  #flushRun(): void {
    const run = this.#run;
    if (run === undefined) return;
    const isOne = run.byteLength === this.#runLength;
    this.#pieces.push(isOne ? run : new Uint8Array(run.buffer, run.byteOffset, this.#runLength));
    this.#run = undefined;
  }

  #flushText(): void {
    if (this.#text === '') return;
    this.#flushRun();
    this.#pieces.push(encoder.encode(this.#text));
    this.#text = '';
  }
}

function frameOf(chunk: StreamChunk): string {
  const data = `data: ${JSON.stringify(chunk.value())}\n\n`;
  return chunk.name === undefined ? data : `event: ${chunk.name}\n${data}`;
}

function endOf(form: AiOperation): string {
  if (form === 'messages') return MESSAGE_STOP;
  return form === 'responses' ? '' : DONE;
}

/** Pieces in one. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
