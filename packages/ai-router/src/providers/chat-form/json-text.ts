import { isJsonObject, type JsonObject } from '../../json.ts';
import { MalformedAnswerError, UnsupportedRequestError } from '../errors.ts';

/*
 * JSON that came from outside, written again. `JSON.parse` reads what is nested more deeply than `JSON.stringify` can write: that is a wrong
 * request or answer, and no failure of ours.
 */

/**
 * A request's JSON, or that of a part of it.
 * @throws UnsupportedRequestError for what is nested too deeply
 */
export function requestJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw new UnsupportedRequestError('the request is nested too deeply');
  }
}

/**
 * JSON of a part of an answer.
 * @throws MalformedAnswerError for what is nested too deeply
 */
export function answerJson(value: JsonObject): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw new MalformedAnswerError('the answer is nested too deeply');
  }
}

/** The object that a text is, or `undefined`. Empty text is the empty object, as calls of tools without parameters write it. */
export function objectOfText(text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
