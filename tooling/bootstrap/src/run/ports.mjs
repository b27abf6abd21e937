import { createServer } from 'node:net';
import { Failure } from '../failure.mjs';

/**
 * One listener to be.
 * @typedef {{ readonly name: string, readonly host: string, readonly port: number, readonly variable: string }} Listener
 * `name` starts a sentence ("The gateway"), `variable` is the setting that moves it.
 */

/**
 * Makes sure that every listener can have its port, and finds one for each that wants any (0).
 * @template {string} Key
 * @param {Readonly<Record<Key, Listener>>} listeners
 * @returns {Promise<Record<Key, number>>} the real ports.
 * @throws {Failure} that names the port, what wanted it, and the variable to set.
 */
export async function claimPorts(listeners) {
  const entries = /** @type {[Key, Listener][]} */ (Object.entries(listeners));
  /** @type {import('node:net').Server[]} */
  const held = [];
  try {
    /** @type {[Key, number][]} */
    const claimed = [];
    // Held until all are known, so that no two listeners get the same one. Fixed ports first: a free one may be theirs.
    for (const [key, listener] of entries.toSorted((a, b) => Number(a[1].port === 0) - Number(b[1].port === 0))) {
      const server = await hold(listener);
      held.push(server);
      const address = server.address();
      claimed.push([key, typeof address === 'object' && address !== null ? address.port : listener.port]);
    }
    return /** @type {Record<Key, number>} */ (Object.fromEntries(claimed));
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/**
 * @param {Listener} listener
 * @returns {Promise<import('node:net').Server>}
 */
async function hold({ name, host, port, variable }) {
  const server = createServer();
  try {
    await new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host, exclusive: true }, () => resolve(undefined));
    });
    return server;
  } catch (error) {
    throw new Failure(listenSentence(/** @type {NodeJS.ErrnoException} */ (error), { name, host, port, variable }));
  }
}

/**
 * @param {NodeJS.ErrnoException} error
 * @param {Listener} listener
 * @returns {string}
 */
function listenSentence(error, { name, host, port, variable }) {
  if (error.code === 'EADDRINUSE') {
    return `Port ${port} on ${host} is in use, and ${name} needs it: stop what listens there, or set ${variable} to another port (0 takes any free one).`;
  }
  if (error.code === 'EACCES') {
    return `Port ${port} may not be used by this user, and ${name} needs it: set ${variable} to a port above 1023.`;
  }
  return `${name.replace(/^t/, 'T')} cannot listen on ${host} port ${port} (${error.code ?? error.message}): check ${variable} and the host setting beside it.`;
}
