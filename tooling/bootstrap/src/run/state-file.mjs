import { join } from 'node:path';
import { Failure } from '../failure.mjs';
import { readFileIfThere, writePrivateFile } from './private-file.mjs';

/**
 * What the first start has done so far. A start that was interrupted goes on from here.
 * @typedef {object} StartState
 * @property {1} version
 * @property {string} database the database's URL without credentials: another database starts anew.
 * @property {string} [adminPassword] the generated password, kept only until it was printed.
 * @property {boolean} [signedIn] the first administrator exists.
 * @property {boolean} [tenant] the tenant `default` exists.
 * @property {{ gateway: string, samplePort: number | null }} [configured] the gateway's name, and the port of the sample's upstream.
 * @property {boolean} [dataPlane] the data plane's token is kept.
 * @property {boolean} [announced] the password was printed, where one was made up.
 */

const FILE = 'start-state.json';

/**
 * @param {string} dataDir
 * @param {string} databaseUrl
 * @param {boolean} databaseIsNew whether the database is known to be empty: what an old state says is then void.
 * @returns {StartState}
 * @throws {Failure} when the file is damaged.
 */
export function readState(dataDir, databaseUrl, databaseIsNew) {
  const database = withoutCredentials(databaseUrl);
  const text = readFileIfThere(join(dataDir, FILE));
  if (text === null) return { version: 1, database };
  const state = parse(text);
  if (state === null) {
    throw new Failure(`${join(dataDir, FILE)} is damaged: delete the folder ${dataDir} to start anew, or restore it.`);
  }
  if (state.database !== database || (databaseIsNew && state.signedIn === true)) return { version: 1, database };
  return state;
}

/**
 * @param {string} dataDir
 * @param {StartState} state
 */
export function writeState(dataDir, state) {
  writePrivateFile(join(dataDir, FILE), `${JSON.stringify(state, null, 2)}\n`);
}

/**
 * @param {string} text
 * @returns {StartState | null}
 */
function parse(text) {
  try {
    const parsed = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && parsed.version === 1 ? parsed : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} databaseUrl
 * @returns {string}
 */
function withoutCredentials(databaseUrl) {
  if (!URL.canParse(databaseUrl)) return databaseUrl;
  const url = new URL(databaseUrl);
  url.username = '';
  url.password = '';
  url.search = '';
  return url.href;
}
