/** What npm and pnpm print when the registry cannot be reached. */
const OFFLINE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ERR_PNPM_META_FETCH_FAIL|dns error|error sending request|ENOTCACHED/;

/**
 * @param {string} output what an installer printed before it failed.
 * @returns {string | undefined} a sentence when the cause is the network, else nothing.
 */
export function offlineReason(output) {
  const match = OFFLINE.exec(output);
  if (match === null) return undefined;
  return `The npm registry could not be reached (${match[0]}): the first start needs the network, so check the connection or the registry setting and try again.`;
}
