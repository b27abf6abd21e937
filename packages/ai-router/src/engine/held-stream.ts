import type { TextGuard } from '../guards/text-guard.ts';
import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import type { StreamChunk, StreamEvent } from '../providers/adapter.ts';
import type { AnswerSample } from './answer-sample.ts';
import { chunkTexts, dropLogprobs } from './answer-texts.ts';
import { judgeTexts, type TextsVerdict } from './judge-texts.ts';
import type { StreamOutput } from './stream-output.ts';
import type { ChunkKeeper } from './stream-reading.ts';

/** The chunks of a stream that is judged before any of it is sent. Source: spec, AI gateway, rule 7. */
export class HeldStream implements ChunkKeeper {
  readonly #form: AiOperation;
  readonly #chunks: { readonly chunk: StreamChunk; readonly value: JsonObject }[] = [];

  constructor(form: AiOperation) {
    this.#form = form;
  }

  /** See {@link ChunkKeeper}. */
  keep(event: StreamEvent): void {
    if (event.type === 'chunk') this.#chunks.push({ chunk: event, value: event.value() });
  }

  /** Judges all of it; what is masked is changed in what {@link writeTo} writes. */
  judge(guards: readonly TextGuard[]): TextsVerdict {
    const verdict = judgeTexts(
      guards,
      this.#chunks.flatMap(({ value }, at) => chunkTexts(this.#form, value, at)),
    );
    if (verdict === 'masked') for (const { value } of this.#chunks) dropLogprobs(value);
    // Such streams tell each text several times over, in pieces and whole: masking one would leave the others.
    return verdict === 'masked' && this.#form === 'responses' ? 'blocked' : verdict;
  }

  /** The beginning of the judged text. */
  sampleTo(sample: AnswerSample): void {
    for (const { value } of this.#chunks) sample.takeChunk(value);
  }

  /** Writes what is left of it, anew. */
  writeTo(output: StreamOutput): void {
    for (const { chunk, value } of this.#chunks) {
      const { name, textLength, usage, isUsageOnly } = chunk;
      output.chunk({
        type: 'chunk',
        value: () => value,
        textLength,
        ...(name !== undefined && { name }),
        ...(usage !== undefined && { usage }),
        ...(isUsageOnly !== undefined && { isUsageOnly }),
        ...(chunk.finishReason !== undefined && { finishReason: chunk.finishReason }),
        ...(chunk.model !== undefined && { model: chunk.model }),
      });
    }
    output.done();
  }
}
