/** Where Redis is, as `PORTCULLIS_REDIS_URL` says it. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
  readonly database: number;
  /** `rediss:`. The certificate is checked against the authorities that Node trusts, `NODE_EXTRA_CA_CERTS` among them. */
  readonly isTls: boolean;
}

/** The address, or what is wrong with it; no part of it is repeated, it may hold a password. */
export type RedisAddressOutcome = { readonly address: RedisAddress } | { readonly mistake: string };

const portDefault = 6379;

/** Redis numbers its databases; servers are set up with 16 usually. */
const databaseMax = 9999;

/** Reads `redis://[user[:password]@]host[:port][/database]`, or `rediss:` for TLS. */
export function readRedisAddress(text: string): RedisAddressOutcome {
  if (!URL.canParse(text)) return { mistake: 'must be an address, redis://host:port or rediss://host:port' };
  const url = new URL(text);
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:')
    return { mistake: 'must begin with redis:// or rediss://' };
  if (url.hostname === '') return { mistake: 'must name a host' };
  if (url.search !== '' || url.hash !== '') return { mistake: 'must have nothing after the number of the database' };
  const database = url.pathname.replace(/^\//, '');
  if (!/^\d{0,4}$/.test(database) || Number(database) > databaseMax) {
    return { mistake: `must end with the number of a database, 0 to ${databaseMax}, or with none` };
  }
  const [username, password] = [plain(url.username), plain(url.password)];
  if (username === undefined || password === undefined) {
    return { mistake: 'must have user and password percent-encoded' };
  }
  return {
    address: {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || portDefault,
      ...(username === '' ? {} : { username }),
      ...(password === '' ? {} : { password }),
      database: Number(database),
      isTls: url.protocol === 'rediss:',
    },
  };
}

function plain(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
