import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AdapterCall, StreamEvent, StreamReader } from '../adapter.ts';
import { ChatChunks } from '../chat-form/chat-chunks.ts';
import { eventJson } from '../chat-form/event-json.ts';
import { answerJson } from '../chat-form/json-text.ts';
import { MalformedAnswerError } from '../errors.ts';
import { type SseFrame, SseParser } from '../framing/sse.ts';
import { type GeminiPart, geminiParts, isPromptBlocked } from './gemini-content.ts';
import { geminiStreamError } from './gemini-error.ts';
import { CANDIDATES_MAX } from './gemini-request.ts';
import { geminiFinishReason, geminiUsage } from './gemini-usage.ts';

/** One of the answers. */
interface Candidate {
  calls: number;
  /** What it stopped for, as far as is known: older models say `STOP` in every event. */
  reason: unknown;
}

/**
 * Turns the events of `streamGenerateContent` into a chat's chunks. Gemini ends a stream by closing it, so its last chunks, those with
 * reasons and usage, come with {@link end}; without a reason for each answer the stream was cut. Calls of functions come whole.
 * Source: Gemini API, Generating content.
 */
export class GeminiChatStream implements StreamReader {
  readonly #call: AdapterCall;
  readonly #newId: () => string;
  readonly #parser: SseParser = new SseParser();
  /** At most `CANDIDATES_MAX`. */
  readonly #candidates: Map<number, Candidate> = new Map<number, Candidate>();
  #chunks: ChatChunks | undefined;

  /** @param newId makes IDs for calls, and for the answer where Gemini gives none */
  constructor(call: AdapterCall, newId: () => string) {
    this.#call = call;
    this.#newId = newId;
  }

  push(bytes: Uint8Array): readonly StreamEvent[] {
    return this.#parser.push(bytes).flatMap((frame) => this.#read(frame));
  }

  end(): readonly StreamEvent[] {
    const events = this.#parser.end().flatMap((frame) => this.#read(frame));
    const chunks = this.#chunks;
    const candidates = [...this.#candidates];
    if (chunks === undefined || candidates.length === 0) return events;
    if (candidates.some(([, { reason }]) => reason === undefined)) return events;
    const ends: StreamEvent[] = [];
    for (const [index, { reason, calls }] of candidates) {
      const finish = geminiFinishReason(reason, calls > 0);
      if (finish === undefined) return [...events, { type: 'error', errorType: String(reason).toLowerCase() }];
      ends.push(chunks.finish(finish, index));
    }
    const usage = chunks.lastUsage();
    return [...events, ...ends, ...(usage === undefined ? [] : [usage]), { type: 'done' }];
  }

  #read(frame: SseFrame): readonly StreamEvent[] {
    if (frame.data === undefined) return [{ type: 'comment', bytes: frame.bytes }];
    const data = eventJson(frame.data);
    if (data === undefined) return [{ type: 'unreadable' }];
    if (data['error'] !== undefined) return [geminiStreamError(data['error'])];
    const given = data['candidates'] ?? (isPromptBlocked(data) ? [{ finishReason: 'SAFETY' }] : []);
    if (!Array.isArray(given) || (given.length === 0 && data['usageMetadata'] === undefined)) {
      return [{ type: 'unreadable' }];
    }
    const chunks = (this.#chunks ??= this.#begin(data));
    chunks.noteUsage(geminiUsage(data['usageMetadata']));
    return given.flatMap((candidate) => this.#readCandidate(chunks, candidate));
  }

  #begin({ responseId, modelVersion }: JsonObject): ChatChunks {
    return new ChatChunks({
      id: typeof responseId === 'string' ? responseId : `chatcmpl-${this.#newId()}`,
      createdMs: this.#call.nowMs,
      model: typeof modelVersion === 'string' ? modelVersion : this.#call.model,
    });
  }

  #readCandidate(chunks: ChatChunks, given: unknown): readonly StreamEvent[] {
    if (!isJsonObject(given)) return [{ type: 'unreadable' }];
    const index = given['index'] ?? 0;
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= CANDIDATES_MAX) {
      return [{ type: 'unreadable' }];
    }
    const parts = readableParts(given);
    if (parts === undefined) return [{ type: 'unreadable' }];
    const known = this.#candidates.get(index);
    const candidate = known ?? { calls: 0, reason: undefined };
    this.#candidates.set(index, candidate);
    candidate.reason = given['finishReason'] ?? candidate.reason;
    const written = parts.map((part) => this.#write(chunks, candidate, part, index));
    return known === undefined ? [chunks.role(index), ...written] : written;
  }

  #write(chunks: ChatChunks, candidate: Candidate, part: GeminiPart, index: number): StreamEvent {
    if (part.type !== 'call') return chunks[part.type === 'text' ? 'text' : 'reasoning'](part.text, index);
    const { id = `call_${this.#newId()}`, name, input, thoughtSignature } = part;
    const call = candidate.calls;
    candidate.calls += 1;
    const signed = thoughtSignature === undefined ? {} : { thoughtSignature };
    return chunks.callStart(call, { id, name, args: answerJson(input), ...signed }, index);
  }
}

/** One event that cannot be read does not end a stream. */
function readableParts(candidate: JsonObject): readonly GeminiPart[] | undefined {
  try {
    return geminiParts(candidate);
  } catch (error) {
    if (error instanceof MalformedAnswerError) return undefined;
    throw error;
  }
}
