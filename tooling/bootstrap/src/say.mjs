/**
 * Where progress goes: one line per call. Tests pass their own.
 * @typedef {(line: string) => void} Say
 */

/** How often a step that takes long says that it is still at it. */
const STILL_AT_IT_MS = 5000;

/**
 * Does a step and says when it began, that it goes on, and how long it took.
 * @template T
 * @param {Say} say
 * @param {string} what for instance `installing dependencies`.
 * @param {() => T | Promise<T>} step
 * @returns {Promise<T>}
 */
export async function timed(say, what, step) {
  say(`${what}…`);
  const startMs = performance.now();
  const ticker = setInterval(() => say(`${what}… ${seconds(performance.now() - startMs)}`), STILL_AT_IT_MS);
  try {
    const result = await step();
    say(`${what}: done in ${seconds(performance.now() - startMs)}`);
    return result;
  } finally {
    clearInterval(ticker);
  }
}

/**
 * @param {number} milliseconds
 * @returns {string} for instance `3.4 s`.
 */
export function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
