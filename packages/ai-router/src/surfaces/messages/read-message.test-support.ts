import { expect } from 'vitest';

/** A message as a client puts it together out of events. */
export interface ReadMessage {
  readonly blocks: readonly {
    readonly type: string;
    readonly id?: string;
    readonly name?: string;
    readonly written: string;
  }[];
  readonly stopReason: unknown;
  readonly usage: unknown;
  readonly names: readonly string[];
}

interface EventData {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: { readonly type: string; readonly id?: string; readonly name?: string };
  readonly delta?: {
    readonly text?: string;
    readonly partial_json?: string;
    readonly thinking?: string;
    readonly stop_reason?: string;
  };
  readonly usage?: unknown;
}

/** Reads the events of a message as strictly as Anthropic writes them: each block is opened, filled and closed before the next. */
export function readMessage(text: string): ReadMessage {
  const blocks: { type: string; id?: string; name?: string; written: string }[] = [];
  let open = false;
  let stopReason: unknown;
  let usage: unknown;
  const names: string[] = [];
  expect(text.endsWith('\n\n')).toBe(true);
  for (const frame of text.slice(0, -2).split('\n\n')) {
    const [, name = '', json = ''] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
    const data = JSON.parse(json) as EventData;
    expect(data.type).toBe(name);
    names.push(name);
    if (name === 'content_block_start') {
      expect([open, data.index]).toEqual([false, blocks.length]);
      open = true;
      const { type = '', id, name: called } = data.content_block ?? {};
      blocks.push({
        type,
        ...(id !== undefined && { id }),
        ...(called !== undefined && { name: called }),
        written: '',
      });
    } else if (name === 'content_block_delta') {
      expect([open, data.index]).toEqual([true, blocks.length - 1]);
      const last = blocks.at(-1);
      const { text: said, partial_json: json, thinking } = data.delta ?? {};
      if (last !== undefined) last.written += said ?? json ?? thinking ?? '';
    } else if (name === 'content_block_stop') {
      expect([open, data.index]).toEqual([true, blocks.length - 1]);
      open = false;
    } else if (name === 'message_delta') {
      expect(open).toBe(false);
      stopReason = data.delta?.stop_reason;
      usage = data.usage;
    }
  }
  expect([names[0], ...names.slice(-2)]).toEqual(['message_start', 'message_delta', 'message_stop']);
  return { blocks, stopReason, usage, names };
}
