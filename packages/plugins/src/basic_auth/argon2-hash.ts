import * as nodeCrypto from 'node:crypto';

/** Bounds on what a hash may ask of this process: four times the memory and passes of the hashes that the control plane makes. */
export const MEMORY_KIB_MAX = 65_536;
export const PASSES_MAX = 8;
export const LANES_MAX = 4;
/** Memory a lane needs at least. Source: RFC 9106, section 3.1. */
const MEMORY_KIB_PER_LANE_MIN = 8;

/** Argon2id hash as PHC text: salt and tag of 16 to 64 and 32 to 64 bytes, in base64 without padding. */
const PHC =
  /^\$argon2id\$v=19\$m=([1-9][0-9]{0,5}),t=([1-9][0-9]?),p=([1-9])\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43,86})$/;

/**
 * A hash that fits no password and costs what the control plane's hashes cost. A name that nobody has is checked against it, so that
 * how long an answer takes does not tell names apart. Source: security rules, Login brute force.
 */
export const DECOY_HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Whether a password fits a hash; compared in constant time, computed on Node's thread pool. A text that is no hash, or one beyond
 * the bounds, fits none. @throws Error when this version of Node.js has no Argon2 (before 24.7)
 */
export async function fitsHash(password: string, phc: string): Promise<boolean> {
  const [, memory, passes, lanes, salt = '', tag = ''] = PHC.exec(phc) ?? [];
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(lanes) };
  const isBounded = cost.memory <= MEMORY_KIB_MAX && cost.passes <= PASSES_MAX && cost.parallelism <= LANES_MAX;
  if (!isBounded || cost.memory < MEMORY_KIB_PER_LANE_MIN * cost.parallelism) return false;
  const expected = Buffer.from(tag, 'base64');
  const nonce = Buffer.from(salt, 'base64');
  const found = await derive({ message: password, nonce, tagLength: expected.length, ...cost });
  return nodeCrypto.timingSafeEqual(found, expected);
}

function derive(parameters: nodeCrypto.Argon2Parameters): Promise<Buffer> {
  // Asked for by name: an import of what an older Node.js does not have would keep all plugins from loading.
  const { argon2 } = nodeCrypto as Partial<Pick<typeof nodeCrypto, 'argon2'>>;
  if (argon2 === undefined) throw new Error('checking passwords of consumers needs Node.js 24.7 or later');
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, found) => (error === null ? resolve(found) : reject(error)));
  });
}
