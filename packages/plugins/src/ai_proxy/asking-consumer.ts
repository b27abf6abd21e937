import type { AiConsumer } from '@portcullis/ai-router';
import type { Exchange } from '@portcullis/plugin-runtime';

const ID_LENGTH_MAX = 128;
const GROUPS_MAX = 100;
const GROUP_LENGTH_MAX = 256;

/**
 * Who asks: whom an authentication plugin found, or else, where the config says so, whom a trusted proxy names in `X-Consumer-ID` and
 * `X-Consumer-Groups`. What a client says of itself does not count.
 */
export function askingConsumer({ consumer, request }: Exchange, trustsHeaders: boolean): AiConsumer | undefined {
  if (consumer !== undefined || !trustsHeaders || !request.isFromTrustedPeer) return consumer;
  const ids = request.claimsOfPeer('X-Consumer-ID');
  const [id = ''] = ids;
  if (ids.length !== 1 || id === '' || id.length > ID_LENGTH_MAX) return undefined;
  const groups = request
    .claimsOfPeer('X-Consumer-Groups')
    .join(',')
    .split(',')
    .map((group) => group.trim())
    .filter((group) => group !== '' && group.length <= GROUP_LENGTH_MAX);
  return { id, groups: groups.slice(0, GROUPS_MAX) };
}
