import { join } from 'node:path';
import { localUrl } from './settings.mjs';

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} without variables that this child has no business to know.
 * @param {Record<string, string>} given
 * @returns {NodeJS.ProcessEnv}
 */
function environment(env, without, given) {
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => !without.includes(name))), ...given };
}

/**
 * The control plane's environment: the user's own, and what `npm start` decides.
 * @param {NodeJS.ProcessEnv} env
 * @param {import('./settings.mjs').Settings} settings
 * @param {{ port: number, secretKeys: string, password: string | null }} decided `password` only until the first
 * administrator exists.
 * @returns {NodeJS.ProcessEnv}
 */
export function adminEnvironment(env, settings, { port, secretKeys, password }) {
  return environment(env, ['PORTCULLIS_DATA_PLANE_TOKEN', 'PORTCULLIS_ADMIN_PASSWORD'], {
    PORTCULLIS_ADMIN_HOST: settings.adminHost,
    PORTCULLIS_ADMIN_PORT: String(port),
    PORTCULLIS_DATABASE_URL: settings.databaseUrl,
    PORTCULLIS_SECRET_KEYS: secretKeys,
    PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: settings.allowPrivateAddresses,
    ...(password === null
      ? {}
      : { PORTCULLIS_ADMIN_USERNAME: settings.adminUsername, PORTCULLIS_ADMIN_PASSWORD: password }),
  });
}

/**
 * The gateway's environment. It learns no secret of the control plane.
 * @param {NodeJS.ProcessEnv} env
 * @param {import('./settings.mjs').Settings} settings
 * @param {{ ports: { admin: number, proxy: number, proxyTls: number, status: number }, token: string }} decided
 * @returns {NodeJS.ProcessEnv}
 */
export function gatewayEnvironment(env, settings, { ports, token }) {
  const secrets = [
    'PORTCULLIS_ADMIN_USERNAME',
    'PORTCULLIS_ADMIN_PASSWORD',
    'PORTCULLIS_SECRET_KEYS',
    'PORTCULLIS_DATABASE_URL',
  ];
  return environment(env, secrets, {
    PORTCULLIS_CONTROL_PLANE_URL: localUrl(settings.adminHost, ports.admin),
    PORTCULLIS_DATA_PLANE_TOKEN: token,
    PORTCULLIS_PROXY_HOST: settings.proxyHost,
    PORTCULLIS_PROXY_PORT: String(ports.proxy),
    PORTCULLIS_PROXY_TLS_PORT: String(ports.proxyTls),
    PORTCULLIS_STATUS_HOST: settings.statusHost,
    PORTCULLIS_STATUS_PORT: String(ports.status),
    PORTCULLIS_CACHE_DIR: env['PORTCULLIS_CACHE_DIR'] || join(settings.dataDir, 'gateway-cache'),
    PORTCULLIS_LOG_DIR: env['PORTCULLIS_LOG_DIR'] || join(settings.dataDir, 'plugin-logs'),
    PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: settings.allowPrivateAddresses,
  });
}
