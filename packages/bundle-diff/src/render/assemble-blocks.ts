import { fenceLengthMin, fenceLengthOf, fenced, htmlText } from './markdown-text.ts';

/** A part of a Markdown text that unfolds. */
export interface Block {
  readonly summary: string;
  readonly language: 'diff' | 'text';
  readonly isOpen?: boolean;
  readonly lines: readonly string[];
}

/** Bytes of a summary when the caller says nothing: what a comment on a pull request holds, and a step summary with ease. */
export const summaryBytesMax = 65_536;

/** The smallest bound: the head of a summary and a block or two fit into it. */
const boundMin = 16_384;
/** What is kept free for the line that says what is left out. */
const reservedBytes = 256;

/** Puts parts together until the bound is reached, and says what is left out. */
export function assembleBlocks(head: readonly string[], blocks: readonly Block[], bytes: number): string {
  const bytesMax = Math.max(bytes, boundMin);
  const parts = [...head];
  let free = bytesMax - reservedBytes - bytesOf(head.join('\n\n'));
  for (const [position, block] of blocks.entries()) {
    const text = blockText(block, free);
    if (text === undefined) {
      parts.push(`_${blocks.length - position} more parts are left out._`);
      break;
    }
    parts.push(text);
    free -= bytesOf(text) + 2;
  }
  return `${parts.join('\n\n')}\n`;
}

/** A block within so many bytes, with as many of its lines as fit; nothing when not even one does. */
function blockText(block: Block, bytesMax: number): string | undefined {
  const text = (lines: readonly string[]): string =>
    [
      `<details${block.isOpen === true ? ' open' : ''}><summary>${htmlText(block.summary)}</summary>`,
      fenced(lines, block.language),
      '</details>',
    ].join('\n\n');
  const frame = bytesOf(text([])) + reservedBytes;
  let bytes = frame;
  let fenceLength = fenceLengthMin;
  let kept = 0;
  for (const line of block.lines) {
    const longer = Math.max(0, fenceLengthOf(line) - fenceLength);
    fenceLength += longer;
    bytes += bytesOf(line) + 1 + 2 * longer;
    if (bytes > bytesMax) break;
    kept += 1;
  }
  if (kept === 0) return undefined;
  const left = block.lines.length - kept;
  return text(left === 0 ? block.lines : [...block.lines.slice(0, kept), `… and ${left} more lines`]);
}

const encoder = new TextEncoder();

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
