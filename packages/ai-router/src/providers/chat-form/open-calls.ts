import type { JsonObject } from '../../json.ts';
import type { StreamEvent } from '../adapter.ts';
import { StreamTooLargeError } from '../errors.ts';
import type { ChatChunks } from './chat-chunks.ts';
import { answerJson } from './json-text.ts';

/** Calls of tools whose blocks are open at once. Anthropic and Bedrock write one block after another. */
const OPEN_CALLS_MAX = 256;

interface OpenCall {
  /** Counts calls from 0, as OpenAI's `index` does. */
  readonly call: number;
  readonly input: JsonObject;
  hasArguments: boolean;
}

/**
 * Blocks of a stream that call tools, by the numbers that the provider gives to all blocks. Fragments of arguments go on as they come; what
 * is kept of a call is whether there was one.
 */
export class OpenCalls {
  readonly #open: Map<number, OpenCall> = new Map<number, OpenCall>();
  #calls = 0;

  /**
   * A block begins.
   * @param input what its arguments are if no fragment comes
   * @throws StreamTooLargeError when too many are open
   */
  begin(
    chunks: ChatChunks,
    index: number,
    tool: { readonly id: string; readonly name: string },
    input: JsonObject = {},
  ): readonly StreamEvent[] {
    if (this.#open.size >= OPEN_CALLS_MAX) throw new StreamTooLargeError('too many calls of tools are open at once');
    const call = this.#calls;
    this.#calls += 1;
    this.#open.set(index, { call, input, hasArguments: false });
    return [chunks.callStart(call, { ...tool, args: '' })];
  }

  /** A fragment of its arguments. Blocks that are no calls of the client's tools say nothing. */
  fill(chunks: ChatChunks, index: unknown, fragment: unknown): readonly StreamEvent[] {
    const open = this.#at(index);
    if (open === undefined || fragment === '') return [];
    if (typeof fragment !== 'string') return [{ type: 'unreadable' }];
    open.hasArguments = true;
    return [chunks.callArguments(open.call, fragment)];
  }

  /**
   * It ends. Arguments that never came in fragments are written now: clients parse them, and empty text is no JSON.
   * @throws MalformedAnswerError for input that is nested too deeply
   */
  end(chunks: ChatChunks, index: unknown): readonly StreamEvent[] {
    const open = this.#at(index);
    if (open === undefined || typeof index !== 'number') return [];
    this.#open.delete(index);
    return open.hasArguments ? [] : [chunks.callArguments(open.call, answerJson(open.input))];
  }

  #at(index: unknown): OpenCall | undefined {
    return typeof index === 'number' ? this.#open.get(index) : undefined;
  }
}
