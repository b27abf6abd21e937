import type { JsonObject } from '../../json.ts';
import type { Usage } from '../../usage.ts';
import type { StreamChunk } from '../adapter.ts';
import type { FinishReason } from './chat-answer.ts';
import { chatUsage } from './chat-usage.ts';

/** What each chunk of a stream says of the stream. */
export interface ChunkHead {
  readonly id: string;
  readonly createdMs: number;
  readonly model: string;
}

/** Writes the chunks of one chat stream. What is known of usage goes with each chunk until the next is known. */
export class ChatChunks {
  readonly #head: JsonObject;
  readonly #model: string;
  #usage: Usage | undefined;

  constructor(head: ChunkHead) {
    const { id, createdMs, model } = head;
    this.#model = model;
    this.#head = { id, object: 'chat.completion.chunk', created: Math.floor(createdMs / 1000), model };
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** Takes the place of what was known. */
  noteUsage(usage: Usage | undefined): void {
    this.#usage = usage ?? this.#usage;
  }

  role(index = 0): StreamChunk {
    return this.#chunk(index, { role: 'assistant', content: '' }, 0);
  }

  text(text: string, index = 0): StreamChunk {
    return this.#chunk(index, { content: text }, text.length);
  }

  reasoning(text: string, index = 0): StreamChunk {
    return this.#chunk(index, { reasoning_content: text }, text.length);
  }

  /**
   * The beginning of a tool's call. Clients put the rest where `call` says.
   * @param call counts the calls of a choice from 0
   */
  callStart(
    call: number,
    tool: { readonly id: string; readonly name: string; readonly args: string; readonly thoughtSignature?: string },
    index = 0,
  ): StreamChunk {
    const { id, name, args, thoughtSignature } = tool;
    const google =
      thoughtSignature === undefined ? {} : { extra_content: { google: { thought_signature: thoughtSignature } } };
    const given = { index: call, id, type: 'function', function: { name, arguments: args }, ...google };
    return this.#chunk(index, { tool_calls: [given] }, args.length);
  }

  /** A fragment of its arguments. */
  callArguments(call: number, fragment: string, index = 0): StreamChunk {
    return this.#chunk(index, { tool_calls: [{ index: call, function: { arguments: fragment } }] }, fragment.length);
  }

  finish(finishReason: FinishReason, index = 0): StreamChunk {
    return { ...this.#chunk(index, {}, 0, finishReason), finishReason };
  }

  /** The chunk without choices that OpenAI ends with; `undefined` when nothing is known. */
  lastUsage(): StreamChunk | undefined {
    const usage = this.#usage;
    if (usage === undefined) return undefined;
    const value: JsonObject = { ...this.#head, choices: [], usage: chatUsage(usage) };
    return { type: 'chunk', value: () => value, usage, model: this.#model, textLength: 0, isUsageOnly: true };
  }

  #chunk(index: number, delta: JsonObject, textLength: number, finishReason: FinishReason | null = null): StreamChunk {
    const value: JsonObject = {
      ...this.#head,
      choices: [{ index, delta, logprobs: null, finish_reason: finishReason }],
    };
    const usage = this.#usage;
    return { type: 'chunk', value: () => value, model: this.#model, textLength, ...(usage !== undefined && { usage }) };
  }
}
