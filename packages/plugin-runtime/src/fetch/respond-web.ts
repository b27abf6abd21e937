import { callResponder } from '../call-responder.ts';
import type { CheckedAnswer } from '../checked-answer.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { ResponseParts } from '../response-state.ts';
import type { Responder } from '../responder.ts';
import { answerReadable } from './answer-readable.ts';
import { BodyKeeper } from './body-keeper.ts';

/** Lets the responder of a request answer it. @returns whether it did; else `exchange.failure` says why */
export async function respondWeb(exchange: ExchangeState, responder: Responder): Promise<boolean> {
  const reply = await callResponder(exchange, responder);
  if (reply === 'failed') return false;
  exchange.setResponse(partsOf(reply, exchange));
  return true;
}

function partsOf({ status, headers, source, body }: CheckedAnswer, exchange: ExchangeState): ResponseParts {
  if (body instanceof Uint8Array) {
    if (status !== 204 && status !== 304) headers.push('content-length', String(body.length));
    return { status, headers, source, body };
  }
  const kept = new BodyKeeper(answerReadable(body, exchange));
  return { status, headers, source, readBody: kept.read, hostBody: kept };
}
