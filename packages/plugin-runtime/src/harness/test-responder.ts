import type { AnswerStream } from '../answer-stream.ts';
import { callResponder } from '../call-responder.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Responder } from '../responder.ts';
import { readerOf } from './test-exchange.ts';

/**
 * Lets a responder answer, and takes its whole body before any hook sees it.
 * @returns `broken` when the body is not whole: it failed, or the client left
 */
export async function answerByResponder(
  exchange: ExchangeState,
  responder: Responder,
): Promise<'failed' | 'broken' | 'whole'> {
  const reply = await callResponder(exchange, responder);
  if (reply === 'failed') return 'failed';
  const { status, headers, source, body } = reply;
  if (body instanceof Uint8Array) {
    exchange.setResponse({ status, headers, source, body });
    return 'whole';
  }
  const chunks: Uint8Array[] = [];
  const isWhole = await collect(body, exchange, chunks);
  exchange.setResponse({ status, headers, source, readBody: readerOf(Buffer.concat(chunks)), hostBody: chunks });
  return isWhole ? 'whole' : 'broken';
}

/** Takes all of a body, pausing after each piece as a slow client would. */
async function collect(body: AnswerStream, exchange: ExchangeState, chunks: Uint8Array[]): Promise<boolean> {
  return await new Promise((resolve) => {
    const leaver = {
      abort: () => {
        body.cancel();
        resolve(false);
      },
    };
    exchange.watchLeaver(leaver);
    body.start({
      write: (bytes) => {
        chunks.push(new Uint8Array(bytes));
        queueMicrotask(() => body.resume());
        return false;
      },
      end: () => resolve(true),
      fail: () => resolve(false),
    });
  });
}
