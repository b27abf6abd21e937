import type { AiOperation } from '../operation.ts';
import { isJsonObject } from '../json.ts';
import type { StreamChunk, StreamEvent, StreamReader } from '../providers/adapter.ts';
import type { Usage } from '../usage.ts';
import type { AnswerSample } from './answer-sample.ts';
import type { StreamOutput } from './stream-output.ts';

/** What is known of a stream so far. */
export interface StreamFacts {
  readonly usage: Usage | undefined;
  readonly textLength: number;
  readonly model: string | undefined;
  readonly unreadableEvents: number;
}

/** Takes chunks beside the output, when answers are judged before they are sent. */
export interface ChunkKeeper {
  keep(event: StreamEvent): void;
}

/** What a piece of a stream brought about. */
export type StreamStep =
  | 'more'
  /** The provider said within the stream that it failed. See {@link StreamReading.errorClass}. */
  | 'error'
  | 'done';

/** Reads the events of a stream, writes them to an output and remembers what is charged. */
export class StreamReading implements StreamFacts {
  readonly #reader: StreamReader;
  readonly #output: StreamOutput;
  readonly #keeper: ChunkKeeper | undefined;
  readonly #answers: number;
  readonly form: AiOperation;
  /** Takes the beginning of the answer's text, where somebody wants it. */
  readonly sample: AnswerSample | undefined;
  /** Whether nothing of it is sent before all of it was judged. */
  readonly isHeld: boolean;
  usage: Usage | undefined;
  textLength = 0;
  model: string | undefined;
  unreadableEvents = 0;
  /** Whether there was an event that belongs to an answer. */
  hasBegun = false;
  /** Answers of the stream that came to their end. */
  readonly #finished = new Set<unknown>();
  #isDone = false;
  errorClass: string | undefined;
  errorStatus: number | undefined;

  /** @param answers that the client wants in one stream (`n`) */
  constructor(
    form: AiOperation,
    reader: StreamReader,
    output: StreamOutput,
    keeper: ChunkKeeper | undefined,
    sample: AnswerSample | undefined,
    answers: number = 1,
  ) {
    this.#answers = answers;
    this.sample = sample;
    this.form = form;
    this.#reader = reader;
    this.#output = output;
    this.#keeper = keeper;
    this.isHeld = keeper !== undefined;
  }

  /** @throws StreamTooLargeError for an event above the bound */
  push(bytes: Uint8Array): StreamStep {
    return this.#take(this.#reader.push(bytes));
  }

  /** The provider closed the stream. @returns `more` when it should not have */
  end(): StreamStep {
    const step = this.#take(this.#reader.end());
    if (step !== 'more' || this.#finished.size < this.#answers) return step;
    return this.#done(undefined);
  }

  #take(events: readonly StreamEvent[]): StreamStep {
    for (const event of events) {
      switch (event.type) {
        case 'chunk':
          this.hasBegun = true;
          if (event.usage !== undefined) this.usage = event.usage;
          if (event.finishReason !== undefined) for (const answer of answersEndedBy(event)) this.#finished.add(answer);
          if (event.model !== undefined) this.model ??= event.model;
          this.textLength += event.textLength;
          this.#keeper?.keep(event);
          // What is judged is sampled after the verdict.
          if (this.#keeper === undefined && this.sample?.isFull === false) this.sample.takeChunk(event.value());
          this.#output.chunk(event);
          break;
        case 'error':
          this.errorClass = event.errorType;
          this.errorStatus = event.status;
          return 'error';
        case 'done':
          return this.hasBegun ? this.#done(event.bytes) : 'more';
        case 'comment':
          if (this.hasBegun) this.#output.comment(event.bytes);
          break;
        case 'unreadable':
          this.unreadableEvents += 1;
          break;
      }
    }
    return 'more';
  }

  #done(bytes: Uint8Array | undefined): StreamStep {
    if (!this.#isDone) this.#output.done(bytes);
    this.#isDone = true;
    return 'done';
  }
}

/** Which answers end with a chunk: some servers tell all of them in one, some an end twice. */
function answersEndedBy(chunk: StreamChunk): readonly unknown[] {
  const { choices } = chunk.value();
  if (!Array.isArray(choices)) return [0];
  return choices.flatMap((choice: unknown, place) =>
    isJsonObject(choice) && typeof choice['finish_reason'] === 'string' ? [choice['index'] ?? place] : [],
  );
}
