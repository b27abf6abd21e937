import { isAbsolute, join } from 'node:path';
import { Failure } from '../failure.mjs';

/** The first administrator's name when the environment gives none. */
const ADMIN_USERNAME = 'admin';

/** Loopback, for `npm start` only: plugin URLs may point at this machine. */
const LOOPBACK_RANGES = '127.0.0.0/8,::1/128';

/**
 * What `npm start` runs with. Ports may be 0: any free one.
 * @typedef {object} Settings
 * @property {string} dataDir absolute.
 * @property {string} databaseUrl
 * @property {string | null} databaseFile absolute path of the SQLite file, null for another database.
 * @property {string} adminHost
 * @property {number} adminPort
 * @property {string} proxyHost
 * @property {number} proxyPort
 * @property {number} proxyTlsPort
 * @property {string} statusHost
 * @property {number} statusPort
 * @property {number | null} samplePort null when it was not said: the kept one, else 8002.
 * @property {boolean} sample
 * @property {string} adminUsername
 * @property {string | null} adminPassword null when one is to be made up.
 * @property {string | null} secretKeys null when they are kept in the data folder.
 * @property {string} allowPrivateAddresses
 */

/**
 * Reads the settings, with the defaults of `npm start`.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root relative paths are below it.
 * @returns {Settings}
 * @throws {Failure} that names the variable and the rule.
 */
export function readSettings(env, root) {
  const dataDir = below(root, text(env, 'PORTCULLIS_DATA_DIR') ?? '.portcullis');
  const databaseUrl = text(env, 'PORTCULLIS_DATABASE_URL') ?? `sqlite:${join(dataDir, 'portcullis.db')}`;
  return {
    dataDir,
    databaseUrl,
    databaseFile: databaseUrl.startsWith('sqlite:') ? below(root, databaseUrl.slice('sqlite:'.length)) : null,
    adminHost: text(env, 'PORTCULLIS_ADMIN_HOST') ?? '127.0.0.1',
    adminPort: port(env, 'PORTCULLIS_ADMIN_PORT', 8001),
    proxyHost: text(env, 'PORTCULLIS_PROXY_HOST') ?? '127.0.0.1',
    proxyPort: port(env, 'PORTCULLIS_PROXY_PORT', 8000),
    proxyTlsPort: port(env, 'PORTCULLIS_PROXY_TLS_PORT', 8443),
    statusHost: text(env, 'PORTCULLIS_STATUS_HOST') ?? '127.0.0.1',
    statusPort: port(env, 'PORTCULLIS_STATUS_PORT', 8100),
    samplePort: port(env, 'PORTCULLIS_SAMPLE_PORT', null),
    sample: text(env, 'PORTCULLIS_SAMPLE') !== 'off',
    adminUsername: text(env, 'PORTCULLIS_ADMIN_USERNAME') ?? ADMIN_USERNAME,
    adminPassword: text(env, 'PORTCULLIS_ADMIN_PASSWORD') ?? null,
    secretKeys: text(env, 'PORTCULLIS_SECRET_KEYS') ?? null,
    allowPrivateAddresses: text(env, 'PORTCULLIS_ALLOW_PRIVATE_ADDRESSES') ?? LOOPBACK_RANGES,
  };
}

/**
 * A base URL to reach a listener from this machine.
 * @param {string} host as listened on; a wildcard is reached over loopback.
 * @param {number} portNumber
 * @returns {string}
 */
export function localUrl(host, portNumber) {
  const reachable = host === '0.0.0.0' || host === '' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${portNumber}`;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} name
 * @returns {string | undefined} an empty variable counts as unset.
 */
function text(env, name) {
  const value = env[name];
  return value === undefined || value === '' ? undefined : value;
}

/**
 * @template {number | null} Standard
 * @param {NodeJS.ProcessEnv} env
 * @param {string} name
 * @param {Standard} standard
 * @returns {number | Standard}
 */
function port(env, name, standard) {
  const value = text(env, name);
  if (value === undefined) return standard;
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new Failure(`${name} must be a whole number from 0 (any free port) to 65535, not "${value}".`);
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string}
 */
function below(root, path) {
  return isAbsolute(path) ? path : join(root, path);
}
