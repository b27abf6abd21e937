import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '../failure.mjs';
import { readFileIfThere, writePrivateFile } from './private-file.mjs';
import { sampleForPort } from './sample.mjs';
import { writeState } from './state-file.mjs';

const TENANT = 'default';
const DATA_PLANE = 'local';
const PREFIX = '/api/v1/admin';
const PASSWORD_LENGTH = 24;
const PASSWORD_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/**
 * What the steps work with. `state` is replaced after each step, on disk first.
 * @typedef {object} FirstStart
 * @property {import('./admin-api.mjs').AdminApi} api
 * @property {import('./settings.mjs').Settings} settings
 * @property {import('./state-file.mjs').StartState} state
 * @property {string} sampleBundle text of examples/quickstart.yaml.
 * @property {number} samplePort the real one.
 */

/**
 * The first administrator's password for this start: null once that administrator exists. A generated one is kept in the
 * state until it was printed, so that an interrupted first start still knows it.
 * @param {import('./settings.mjs').Settings} settings
 * @param {import('./state-file.mjs').StartState} state
 * @returns {{ password: string | null, state: import('./state-file.mjs').StartState }}
 */
export function firstPassword(settings, state) {
  if (isComplete(state)) return { password: null, state };
  if (settings.adminPassword !== null) return { password: settings.adminPassword, state };
  if (state.adminPassword !== undefined) return { password: state.adminPassword, state };
  if (state.signedIn === true) {
    throw new Failure(
      'The first start was interrupted, and its administrator has a password that you set: set PORTCULLIS_ADMIN_PASSWORD to it once more.',
    );
  }
  const password = Array.from(
    { length: PASSWORD_LENGTH },
    () => PASSWORD_ALPHABET[randomInt(PASSWORD_ALPHABET.length)],
  ).join('');
  return { password, state: { ...state, adminPassword: password } };
}

/**
 * @param {import('./state-file.mjs').StartState} state
 * @returns {boolean} whether nothing is left to set up.
 */
export function isComplete(state) {
  return state.dataPlane === true;
}

/**
 * Does what is left of the first start. Each step can be done again: after an interruption in the middle of one, it is.
 * @param {FirstStart} start
 * @param {string} password
 * @returns {Promise<import('./state-file.mjs').StartState>}
 */
export async function completeFirstStart(start, password) {
  const { settings } = start;
  let { state } = start;
  /** @param {Partial<import('./state-file.mjs').StartState>} facts */
  const record = (facts) => {
    state = { ...state, ...facts };
    writeState(settings.dataDir, state);
  };
  await signIn(start, password);
  record({ signedIn: true });
  if (state.tenant !== true) {
    await createTenant(start);
    record({ tenant: true });
  }
  if (state.configured === undefined) record({ configured: await configure(start) });
  const gateway = state.configured?.gateway ?? '';
  if (state.dataPlane !== true) {
    await mintDataPlaneToken(start, gateway);
    record({ dataPlane: true });
  }
  return state;
}

/**
 * @param {string} dataDir
 * @returns {string}
 * @throws {Failure} when the file went missing.
 */
export function keptDataPlaneToken(dataDir) {
  const token = readFileIfThere(tokenFile(dataDir))?.trim();
  if (token !== undefined && token !== '') return token;
  throw new Failure(`${tokenFile(dataDir)} is missing: delete the folder ${dataDir} to start anew, or restore it.`);
}

/**
 * @param {FirstStart} start
 * @param {string} password
 */
async function signIn({ api, settings }, password) {
  const credentials = { username: settings.adminUsername, password };
  const answer = await api.request('/auth/login', { json: credentials, accept: [401] });
  if (answer.status === 401) {
    throw new Failure(
      `The database already has an administrator, and its password is not the one given: set PORTCULLIS_ADMIN_USERNAME and PORTCULLIS_ADMIN_PASSWORD to that account's, or use another PORTCULLIS_DATABASE_URL.`,
    );
  }
  api.useToken(String(answer.body?.access_token));
}

/** @param {FirstStart} start */
async function createTenant({ api }) {
  await api.request(`${PREFIX}/tenants`, { json: { slug: TENANT, name: 'Default' }, accept: [409] });
}

/**
 * Applies the sample, or makes an empty gateway.
 * @param {FirstStart} start
 * @returns {Promise<{ gateway: string, samplePort: number | null }>}
 */
async function configure({ api, settings, sampleBundle, samplePort }) {
  if (!settings.sample) {
    await api.request(`${PREFIX}/gateways`, { json: { tenant_id: TENANT, name: 'default' }, accept: [409] });
    return { gateway: 'default', samplePort: null };
  }
  const path = `${PREFIX}/config/sync?tenant_id=${TENANT}&dry_run=false`;
  const answer = await api.request(path, { yaml: sampleForPort(sampleBundle, samplePort) });
  if (answer.body?.status !== 'success') throw new Failure(refusedSample(answer.body));
  return { gateway: 'quickstart', samplePort };
}

/**
 * @param {any} body the answer to a sync that did not succeed.
 * @returns {string}
 */
function refusedSample(body) {
  const first = body?.validation?.errors?.[0];
  if (first === undefined)
    return `The sample could not be applied: the control plane's answer has the status "${body?.status}".`;
  const place = [first.resource_type, first.name, first.pointer].filter((part) => typeof part === 'string').join(' ');
  return `The sample could not be applied: ${place}: ${String(first.message).replace(/\.$/, '')}.`;
}

/**
 * A token is shown once: when an earlier start made the data plane but did not keep its token, it is made anew.
 * @param {FirstStart} start
 * @param {string} gateway
 */
async function mintDataPlaneToken({ api, settings }, gateway) {
  const query = `tenant_id=${TENANT}&name=`;
  const gateways = await api.request(`${PREFIX}/gateways?${query}${gateway}`);
  const gatewayId = firstNamed(gateways, gateway)?.id;
  if (gatewayId === undefined) throw new Failure(`The gateway "${gateway}" is not there, although it was just set up.`);
  const json = { tenant_id: TENANT, gateway_id: gatewayId, name: DATA_PLANE };
  let answer = await api.request(`${PREFIX}/data-planes`, { json, accept: [409] });
  if (answer.status === 409) {
    const stale = firstNamed(await api.request(`${PREFIX}/data-planes?${query}${DATA_PLANE}`), DATA_PLANE);
    await api.request(`${PREFIX}/data-planes/${stale?.id}?tenant_id=${TENANT}`, { method: 'DELETE' });
    answer = await api.request(`${PREFIX}/data-planes`, { json });
  }
  writePrivateFile(tokenFile(settings.dataDir), `${answer.body.token}\n`);
}

/**
 * @param {import('./admin-api.mjs').Answer} answer
 * @param {string} name
 * @returns {{ id: string } | undefined}
 */
function firstNamed(answer, name) {
  /** @type {{ id: string, name: string }[]} */
  const items = answer.body?.items ?? [];
  return items.find((item) => item.name === name);
}

/**
 * @param {string} dataDir
 * @returns {string}
 */
function tokenFile(dataDir) {
  return join(dataDir, 'data-plane-token');
}
