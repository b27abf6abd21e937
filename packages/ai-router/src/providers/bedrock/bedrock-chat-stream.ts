import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AdapterCall, StreamEvent, StreamReader } from '../adapter.ts';
import { ChatChunks } from '../chat-form/chat-chunks.ts';
import { eventJson } from '../chat-form/event-json.ts';
import { OpenCalls } from '../chat-form/open-calls.ts';
import { AwsEventStream, type AwsMessage } from '../framing/aws-event-stream.ts';
import { bedrockStreamError } from './bedrock-error.ts';
import { bedrockFinishReason, bedrockUsage } from './bedrock-usage.ts';

/**
 * Turns the events of ConverseStream into a chat's chunks. `metadata` comes behind `messageStop` and ends the stream; a stream that closes
 * between them has ended too, without usage.
 * Source: Amazon Bedrock, ConverseStream.
 */
export class BedrockChatStream implements StreamReader {
  readonly #frames: AwsEventStream = new AwsEventStream();
  readonly #chunks: ChatChunks;
  readonly #calls: OpenCalls = new OpenCalls();
  readonly #decoder: InstanceType<typeof TextDecoder> = new TextDecoder();
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
        return this.#calls.end(this.#chunks, data['contentBlockIndex']);
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
    return this.#calls.begin(this.#chunks, index, { id: toolUseId, name });
  }

  #blockDelta({ contentBlockIndex: index, delta }: JsonObject): readonly StreamEvent[] {
    if (!isJsonObject(delta)) return [{ type: 'unreadable' }];
    const { text, toolUse, reasoningContent } = delta;
    if (typeof text === 'string') return text === '' ? [] : [this.#chunks.text(text)];
    if (isJsonObject(reasoningContent)) {
      const thought = reasoningContent['text'];
      return typeof thought === 'string' && thought !== '' ? [this.#chunks.reasoning(thought)] : [];
    }
    return isJsonObject(toolUse) ? this.#calls.fill(this.#chunks, index, toolUse['input']) : [];
  }

  #done(): readonly StreamEvent[] {
    if (this.#isDone) return [];
    this.#isDone = true;
    const usage = this.#chunks.lastUsage();
    return usage === undefined ? [{ type: 'done' }] : [usage, { type: 'done' }];
  }
}
