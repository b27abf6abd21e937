import { localUrl } from './settings.mjs';

/**
 * What the terminal shows when everything runs. Exactly three lines begin with `curl`; the password is the last word of
 * its line.
 * @param {object} facts
 * @param {import('./settings.mjs').Settings} facts.settings
 * @param {{ admin: number, proxy: number, proxyTls: number, status: number }} facts.ports
 * @param {string | null} facts.sampleKey null without the sample.
 * @param {string | null} facts.password null when there is none to show.
 * @param {string} facts.logs the folder of the log files.
 * @returns {string[]} lines.
 */
export function announcement({ settings, ports, sampleKey, password, logs }) {
  const gateway = localUrl(settings.proxyHost, ports.proxy);
  const gatewayTls = localUrl(settings.proxyHost, ports.proxyTls).replace('http:', 'https:');
  const admin = localUrl(settings.adminHost, ports.admin);
  const status = localUrl(settings.statusHost, ports.status);
  return [
    '',
    'Portcullis is running.',
    `  Gateway             ${gateway}`,
    `  Gateway, TLS        ${gatewayTls} (for the server names that it has certificates for)`,
    `  Gateway status      ${status}/ready`,
    `  Administration API  ${admin} (its description: ${admin}/docs)`,
    `  Logs                ${logs}`,
    ...(password === null
      ? []
      : [
          '',
          `The first administrator is ${settings.adminUsername}; the password, shown only this once, is ${password}`,
        ]),
    '',
    'Try it in another terminal.',
    ...(sampleKey === null ? emptyCommands(gateway, admin, status) : sampleCommands(gateway, admin, sampleKey)),
    '',
    'Ctrl-C stops everything and keeps the data.',
  ];
}

/**
 * @param {string} gateway
 * @param {string} admin
 * @param {string} key
 * @returns {string[]}
 */
function sampleCommands(gateway, admin, key) {
  return [
    'A request through the gateway, with the key of the sample consumer:',
    `curl -i -H 'X-API-Key: ${key}' ${gateway}/echo/hello`,
    'The same without a key, which the gateway refuses with 401:',
    `curl -i ${gateway}/echo/hello`,
    'The control plane:',
    `curl -i ${admin}/health`,
  ];
}

/**
 * @param {string} gateway
 * @param {string} admin
 * @param {string} status
 * @returns {string[]}
 */
function emptyCommands(gateway, admin, status) {
  return [
    'The gateway, which has no route yet and says so:',
    `curl -i ${gateway}/`,
    'Whether the gateway has its configuration:',
    `curl -i ${status}/ready`,
    'The control plane:',
    `curl -i ${admin}/health`,
  ];
}
