import { Failure } from '../failure.mjs';

const PAUSE_MS = 100;
const ONE_TRY_MS = 2000;

/**
 * Waits until a URL answers 200.
 * @param {import('./child.mjs').Child} child whose end ends the waiting.
 * @param {string} url
 * @param {{ timeoutMs: number, stop: AbortSignal, logFile: string }} options
 * @throws {Failure} when the child ends, or is not ready in time.
 */
export async function waitReady(child, url, { timeoutMs, stop, logFile }) {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await answersOk(url, stop))) {
    stop.throwIfAborted();
    if (!child.running()) throw child.failure();
    if (performance.now() > deadlineMs) {
      throw new Failure(`${child.name} was not ready within ${timeoutMs / 1000} s (${url}): its log is ${logFile}.`);
    }
    await Promise.race([child.ended, new Promise((resolve) => setTimeout(resolve, PAUSE_MS))]);
  }
}

/**
 * @param {string} url
 * @param {AbortSignal} stop
 * @returns {Promise<boolean>}
 */
async function answersOk(url, stop) {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([stop, AbortSignal.timeout(ONE_TRY_MS)]) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
