import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AdapterCall, StreamEvent, StreamReader } from '../adapter.ts';
import { ChatChunks } from '../chat-form/chat-chunks.ts';
import { eventJson } from '../chat-form/event-json.ts';
import { StreamTooLargeError } from '../errors.ts';
import { AwsEventStream, type AwsMessage } from '../framing/aws-event-stream.ts';
import { bedrockStreamError } from './bedrock-error.ts';
import { bedrockFinishReason, bedrockUsage } from './bedrock-usage.ts';

/** Calls of tools whose blocks are open at once. Converse writes one block after another. */
const OPEN_CALLS_MAX = 256;

/** A block that calls a tool, while it is open. */
interface OpenCall {
  /** Counts calls from 0. */
  readonly call: number;
  hasArguments: boolean;
}

/**
 * Turns the events of ConverseStream into a chat's chunks. `metadata` comes behind `messageStop` and ends the stream; a stream that closes
 * between them has ended too, without usage.
 * Source: Amazon Bedrock, ConverseStream.
 */
export class BedrockChatStream implements StreamReader {
  readonly #frames: AwsEventStream = new AwsEventStream();
  readonly #chunks: ChatChunks;
  readonly #openCalls: Map<number, OpenCall> = new Map<number, OpenCall>();
  readonly #decoder: InstanceType<typeof TextDecoder> = new TextDecoder();
  #calls = 0;
  #isStopped = false;
  #isDone = false;

  /** @param id of the answer: Converse gives none */
  constructor(call: AdapterCall, id: string) {
    this.#chunks = new ChatChunks({ id, createdMs: call.nowMs, model: call.model });
  }

  push(bytes: Uint8Array): readonly StreamEvent[] {
    return this.#frames.push(bytes).flatMap((message) => this.#read(message));
  }

  end(): readonly StreamEvent[] {
    this.#frames.end();
    return this.#isStopped ? this.#done() : [];
  }

  #read({ headers, payload }: AwsMessage): readonly StreamEvent[] {
    const kind = headers.get(':message-type');
    if (kind === 'exception') return [bedrockStreamError(headers.get(':exception-type'))];
    if (kind === 'error') return [bedrockStreamError(headers.get(':error-code'))];
    const data = eventJson(this.#decoder.decode(payload));
    if (data === undefined) return [{ type: 'unreadable' }];
    switch (headers.get(':event-type')) {
      case 'messageStart':
        return [this.#chunks.role()];
      case 'contentBlockStart':
        return this.#blockStart(data);
      case 'contentBlockDelta':
        return this.#blockDelta(data);
      case 'contentBlockStop':
        return this.#blockStop(data['contentBlockIndex']);
      case 'messageStop':
        this.#isStopped = true;
        return [this.#chunks.finish(bedrockFinishReason(data['stopReason']))];
      case 'metadata':
        this.#chunks.noteUsage(bedrockUsage(data['usage']));
        return this.#isStopped ? this.#done() : [];
      default:
        return [];
    }
  }

  #blockStart({ contentBlockIndex: index, start }: JsonObject): readonly StreamEvent[] {
    const toolUse = isJsonObject(start) ? start['toolUse'] : undefined;
    if (toolUse === undefined) return [];
    const { toolUseId, name } = isJsonObject(toolUse) ? toolUse : {};
    if (typeof index !== 'number' || typeof toolUseId !== 'string' || typeof name !== 'string') {
      return [{ type: 'unreadable' }];
    }
    if (this.#openCalls.size >= OPEN_CALLS_MAX)
      throw new StreamTooLargeError('too many calls of tools are open at once');
    const call = this.#calls;
    this.#calls += 1;
    this.#openCalls.set(index, { call, hasArguments: false });
    return [this.#chunks.callStart(call, { id: toolUseId, name, args: '' })];
  }

  #blockDelta({ contentBlockIndex: index, delta }: JsonObject): readonly StreamEvent[] {
    if (!isJsonObject(delta)) return [{ type: 'unreadable' }];
    const { text, toolUse, reasoningContent } = delta;
    if (typeof text === 'string') return text === '' ? [] : [this.#chunks.text(text)];
    if (isJsonObject(reasoningContent)) {
      const thought = reasoningContent['text'];
      return typeof thought === 'string' && thought !== '' ? [this.#chunks.reasoning(thought)] : [];
    }
    const fragment = isJsonObject(toolUse) ? toolUse['input'] : undefined;
    const open = typeof index === 'number' ? this.#openCalls.get(index) : undefined;
    if (open === undefined || typeof fragment !== 'string') return [{ type: 'unreadable' }];
    if (fragment === '') return [];
    open.hasArguments = true;
    return [this.#chunks.callArguments(open.call, fragment)];
  }

  /** A call without arguments has no fragments: clients parse arguments, and empty text is no JSON. */
  #blockStop(index: unknown): readonly StreamEvent[] {
    const open = typeof index === 'number' ? this.#openCalls.get(index) : undefined;
    if (open === undefined || typeof index !== 'number') return [];
    this.#openCalls.delete(index);
    return open.hasArguments ? [] : [this.#chunks.callArguments(open.call, '{}')];
  }

  #done(): readonly StreamEvent[] {
    if (this.#isDone) return [];
    this.#isDone = true;
    const usage = this.#chunks.lastUsage();
    return usage === undefined ? [{ type: 'done' }] : [usage, { type: 'done' }];
  }
}
