import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import { writtenPieces, writtenTexts } from './answer-texts.ts';

/** The beginning of what a model wrote, for records of requests whose operator wants to read it. */
export class AnswerSample {
  readonly #form: AiOperation;
  readonly #lengthMax: number;
  text = '';

  constructor(form: AiOperation, lengthMax: number) {
    this.#form = form;
    this.#lengthMax = lengthMax;
  }

  takeAnswer(body: JsonObject): void {
    for (const { text } of writtenTexts(this.#form, body)) this.#add(text);
  }

  get isFull(): boolean {
    return this.text.length >= this.#lengthMax;
  }

  takeChunk(value: JsonObject): void {
    if (this.isFull) return;
    if (this.#form !== 'responses') for (const { text } of writtenPieces(this.#form, value, '')) this.#add(text);
    else if (value['type'] === 'response.output_text.delta') this.#add(value['delta']);
  }

  #add(text: unknown): void {
    if (typeof text === 'string') this.text = (this.text + text).slice(0, this.#lengthMax);
  }
}
