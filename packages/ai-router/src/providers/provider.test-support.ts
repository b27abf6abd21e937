import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import type { AdapterCall, PreparedRequest, ProviderAdapter, StreamChunk, StreamEvent } from './adapter.ts';
import type { Provider, ProviderType } from './provider.ts';

/** A provider as tests want it. */
export function testProvider(type: ProviderType, baseUrl: string, more: Partial<Provider> = {}): Provider {
  return {
    name: 'p',
    type,
    baseUrl,
    secrets: {},
    headers: [],
    models: [],
    modelMap: new Map(),
    timeoutMs: 60_000,
    connectTimeoutMs: 5000,
    firstByteTimeoutMs: 30_000,
    streamIdleTimeoutMs: 60_000,
    responseBytesMax: 1_000_000,
    supports: { streamUsage: true, tools: true, jsonSchema: true },
    ...more,
  };
}

/** What a test says of a call; the rest is made up. */
export interface TestCall {
  readonly provider: Provider;
  readonly body?: JsonObject;
  readonly operation?: AiOperation;
  readonly model?: string;
  readonly stream?: boolean;
  readonly wantsStreamUsage?: boolean;
  readonly bytes?: Uint8Array;
  readonly apiKey?: string;
}

/** A call of a provider. */
export function testCall({ provider, body = {}, apiKey = 'k', bytes, ...more }: TestCall): AdapterCall {
  return {
    operation: more.operation ?? 'chat',
    body,
    ...(bytes === undefined ? {} : { bytes }),
    model: more.model ?? 'm',
    stream: more.stream ?? false,
    wantsStreamUsage: more.wantsStreamUsage ?? false,
    provider,
    credential: { apiKey },
    nowMs: 1_700_000_000_000,
  };
}

/** The request's body as an object. */
export function bodyOf(request: PreparedRequest): unknown {
  return JSON.parse(typeof request.body === 'string' ? request.body : Buffer.from(request.body).toString());
}

/** The headers of a request, by name. */
export function headersOf(request: PreparedRequest): Readonly<Record<string, string>> {
  const pairs: [string, string][] = [];
  for (let at = 0; at < request.headers.length; at += 2) {
    pairs.push([request.headers[at] ?? '', request.headers[at + 1] ?? '']);
  }
  return Object.fromEntries(pairs);
}

/** All events of a stream that comes in pieces of one size. */
export function readStream(
  adapter: ProviderAdapter,
  call: AdapterCall,
  text: string | Uint8Array,
  size: number = Number.MAX_SAFE_INTEGER,
): readonly StreamEvent[] {
  const bytes = Buffer.from(text);
  const reader = adapter.openStream(call);
  const events: StreamEvent[] = [];
  for (let at = 0; at < bytes.length; at += size) events.push(...reader.push(bytes.subarray(at, at + size)));
  return [...events, ...reader.end()];
}

/** The chunks among events. */
export function chunksOf(events: readonly StreamEvent[]): readonly StreamChunk[] {
  return events.filter((event) => event.type === 'chunk');
}

/** What the chunks of a chat say together. */
export interface SaidInChat {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
}

/** Puts the chunks of a chat together as clients do. */
export function saidInChat(events: readonly StreamEvent[]): SaidInChat {
  let text = '';
  const calls: { id: string; name: string; arguments: string }[] = [];
  for (const chunk of chunksOf(events)) {
    for (const choice of (chunk.value()['choices'] ?? []) as { delta: DeltaOfChat }[]) {
      text += choice.delta.content ?? '';
      for (const call of choice.delta.tool_calls ?? []) {
        const known = (calls[call.index] ??= { id: '', name: '', arguments: '' });
        known.id += call.id ?? '';
        known.name += call.function?.name ?? '';
        known.arguments += call.function?.arguments ?? '';
      }
    }
  }
  return { text, calls };
}

interface DeltaOfChat {
  readonly content?: string | null;
  readonly tool_calls?: readonly {
    readonly index: number;
    readonly id?: string;
    readonly function?: { readonly name?: string; readonly arguments?: string };
  }[];
}
