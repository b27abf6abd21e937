import { Failure, messageOf } from '../failure.mjs';

/** A whole sync of a small bundle fits easily. */
const CALL_TIMEOUT_MS = 30_000;

/**
 * @typedef {{ readonly status: number, readonly body: any }} Answer `body` is the parsed JSON, null when there is none.
 * @typedef {{ method?: string, json?: unknown, yaml?: string, accept?: readonly number[] }} Call `accept` lists the statuses beside 2xx that the caller handles.
 */

/**
 * The few calls of the administration API that a first start makes.
 * @param {string} baseUrl
 * @param {AbortSignal} stop
 */
export function adminApi(baseUrl, stop) {
  let authorization = '';
  /**
   * @param {string} path
   * @param {Call} [call]
   * @returns {Promise<Answer>}
   * @throws {Failure} for every status that is neither 2xx nor accepted.
   */
  const request = async (path, { method, json, yaml, accept = [] } = {}) => {
    const body = yaml ?? (json === undefined ? undefined : JSON.stringify(json));
    const response = await send(`${baseUrl}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      signal: AbortSignal.any([stop, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
      headers: {
        ...(authorization === '' ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': yaml === undefined ? 'application/json' : 'application/yaml' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const answer = { status: response.status, body: parsed(await response.text()) };
    if (response.ok || accept.includes(response.status)) return answer;
    throw new Failure(`The control plane refused ${path} with ${answer.status}: ${problemText(answer.body)}.`);
  };
  /** @param {string} token */
  const useToken = (token) => {
    authorization = `Bearer ${token}`;
  };
  return { request, useToken };
}

/** @typedef {ReturnType<typeof adminApi>} AdminApi */

/**
 * @param {string} url
 * @param {RequestInit} init
 * @returns {Promise<Response>}
 */
async function send(url, init) {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new Failure(`The control plane did not answer on ${url}: ${messageOf(cause)}.`);
  }
}

/**
 * @param {any} body
 * @returns {string}
 */
function problemText(body) {
  const detail = body?.detail ?? body?.title ?? 'no reason given';
  const first = Array.isArray(body?.errors) ? body.errors[0] : undefined;
  const text = first === undefined ? String(detail) : `${detail} (${first.pointer ?? ''} ${first.message ?? ''})`;
  return text.replace(/[.\s]+$/, '');
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
