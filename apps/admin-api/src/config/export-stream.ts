import { setImmediate as otherWork } from 'node:timers/promises';

/** Characters that are made at once; making them holds the event loop for some milliseconds. */
const pieceCharacters = 16 * 1024;
/** How long a reader may take for one piece before it is given up: what it does not fetch takes others' memory. */
export const readerIdleMsMax = 30_000;

/** How an export is sent. */
export interface ExportStreamOptions {
  /** Called once, when nothing more will be sent, whatever the reason. */
  readonly onEnd: () => void;
  /** Default: {@link readerIdleMsMax}. */
  readonly idleMsMax?: number;
}

/** Sends texts as they are fetched: each piece is made when the one before it is gone. */
export function exportStream(
  texts: Iterator<string, void>,
  { onEnd, idleMsMax = readerIdleMsMax }: ExportStreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let idle: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
    clearTimeout(idle);
    onEnd();
  };
  const giveUp = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    end();
    controller.error(new Error('the export was not fetched in time'));
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(idle);
        // Where the reader is as fast as this, nobody else would get a turn before the end.
        await otherWork();
        if (hasEnded) return;
        try {
          const { text, isLast } = nextPiece(texts);
          if (text !== '') controller.enqueue(encoder.encode(text));
          if (!isLast) idle = setTimeout(giveUp, idleMsMax, controller).unref();
          else {
            end();
            controller.close();
          }
        } catch (error) {
          end();
          throw error;
        }
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  );
}

function nextPiece(texts: Iterator<string, void>): { readonly text: string; readonly isLast: boolean } {
  const parts: string[] = [];
  let characters = 0;
  while (characters < pieceCharacters) {
    const next = texts.next();
    if (next.done === true) return { text: parts.join(''), isLast: true };
    parts.push(next.value);
    characters += next.value.length;
  }
  return { text: parts.join(''), isLast: false };
}
