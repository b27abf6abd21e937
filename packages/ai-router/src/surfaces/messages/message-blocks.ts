import type { JsonObject } from '../../json.ts';
import { EVENT_BYTES_MAX, StreamTooLargeError } from '../../providers/errors.ts';
import { JsonEnd } from './json-end.ts';

/** What a block is. Calls are told apart by their keys. */
export type BlockKind =
  | { readonly type: 'text' | 'thinking' }
  | { readonly type: 'tool_use'; readonly key: number; readonly id: string; readonly name: string };

/** Blocks that wait behind the open one. */
const WAITING_BLOCKS_MAX = 256;

interface Block {
  readonly kind: BlockKind;
  readonly end: JsonEnd;
  /** Written before its turn came. */
  waiting: string;
}

/**
 * Puts what a chat's stream writes into blocks. Anthropic's events open one block, fill it and close it before the next; a chat may write
 * into several calls by turns. What belongs to the open block goes on at once. Once the open one is whole the next follows; what comes for
 * another one before that waits, within a bound.
 */
export class MessageBlocks {
  /** The first is open. */
  readonly #blocks: Block[] = [];
  /** Keys of calls whose blocks are over: what comes for them later is not part of an object any more. As many as calls. */
  readonly #closed: Set<number> = new Set<number>();
  #index = -1;
  #waitingLength = 0;

  /** @throws StreamTooLargeError when too much waits */
  write(kind: BlockKind, text: string): string {
    const open = this.#blocks[0];
    if (open !== undefined && isSame(open.kind, kind)) return this.#fill(open, text) + this.#advance(false);
    if (kind.type === 'tool_use' && this.#closed.has(kind.key)) return '';
    const block = this.#waitingBlock(kind);
    block.waiting += text;
    this.#waitingLength += text.length;
    const written = open === undefined ? this.#openFirst() : this.#advance(false);
    if (this.#waitingLength > EVENT_BYTES_MAX)
      throw new StreamTooLargeError('too much of a stream has to wait its turn');
    return written;
  }

  /** Everything that waits, and the end of the last block. */
  end(): string {
    return this.#advance(true);
  }

  /** The last one behind the open one when it is the same; texts after a call are another text than those before it. */
  #waitingBlock(kind: BlockKind): Block {
    const found =
      kind.type === 'tool_use'
        ? this.#blocks.find((block) => isSame(block.kind, kind))
        : this.#blocks.findLast((block, at) => at > 0 && at === this.#blocks.length - 1 && isSame(block.kind, kind));
    if (found !== undefined) return found;
    if (this.#blocks.length > WAITING_BLOCKS_MAX)
      throw new StreamTooLargeError('too many blocks of a stream have to wait');
    const block: Block = { kind, end: new JsonEnd(), waiting: '' };
    this.#blocks.push(block);
    return block;
  }

  #advance(isLast: boolean): string {
    let written = '';
    for (let open = this.#blocks[0]; open !== undefined; open = this.#blocks[0]) {
      const isWhole = open.kind.type !== 'tool_use' || open.end.isWhole;
      if (!isLast && (this.#blocks.length === 1 || !isWhole)) break;
      written += event('content_block_stop', { index: this.#index });
      this.#blocks.shift();
      if (open.kind.type === 'tool_use') this.#closed.add(open.kind.key);
      written += this.#openFirst();
    }
    return written;
  }

  #openFirst(): string {
    const open = this.#blocks[0];
    if (open === undefined) return '';
    this.#index += 1;
    const start = event('content_block_start', { index: this.#index, content_block: emptyBlock(open.kind) });
    const { waiting } = open;
    open.waiting = '';
    this.#waitingLength -= waiting.length;
    return start + this.#fill(open, waiting);
  }

  #fill(open: Block, text: string): string {
    if (text === '') return '';
    if (open.kind.type === 'tool_use') open.end.push(text);
    return event('content_block_delta', { index: this.#index, delta: delta(open.kind, text) });
  }
}

/** An event as Anthropic's streams write it: its type is its name too. */
export function event(type: string, data: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function isSame(left: BlockKind, right: BlockKind): boolean {
  if (left.type !== 'tool_use' || right.type !== 'tool_use') return left.type === right.type;
  return left.key === right.key;
}

function emptyBlock(kind: BlockKind): JsonObject {
  if (kind.type === 'tool_use') return { type: 'tool_use', id: kind.id, name: kind.name, input: {} };
  return kind.type === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' };
}

function delta(kind: BlockKind, text: string): JsonObject {
  if (kind.type === 'tool_use') return { type: 'input_json_delta', partial_json: text };
  return kind.type === 'text' ? { type: 'text_delta', text } : { type: 'thinking_delta', thinking: text };
}
