/** Where cached answers of AI models are, as `PORTCULLIS_AI_CACHE_URL` says it. */
export type DataStoreAddress = PostgresAddress | MongoAddress;

/** PostgreSQL. */
export interface PostgresAddress {
  readonly kind: 'postgres';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
  /** The certificate is checked against the authorities that Node trusts, `NODE_EXTRA_CA_CERTS` among them. */
  readonly isTls: boolean;
}

/** MongoDB, or what speaks as it does. */
export interface MongoAddress {
  readonly kind: 'mongodb';
  /** As its driver reads it. */
  readonly url: string;
  /** Hosts and ports that it names; none for `mongodb+srv:`, whose name servers say them. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly database: string;
  readonly isTls: boolean;
}

/** The address, or what is wrong with it; no part of it is repeated, it may hold a password. */
export type DataStoreAddressOutcome = { readonly address: DataStoreAddress } | { readonly mistake: string };

const POSTGRES_PORT = 5432;
const MONGO_PORT = 27_017;

/** Where an address names no database. */
const DATABASE_DEFAULT = 'portcullis';

/** Both verify the certificate and its name: encryption to somebody unknown protects nobody. */
const TLS_MODES: ReadonlySet<string> = new Set(['require', 'verify-ca', 'verify-full']);

/** Options of MongoDB's driver that switch the checking of certificates off. */
const UNSAFE_OPTIONS = /^(?:tls|ssl)(?:insecure|allowinvalid(?:certificates|hostnames))$/i;

/** Reads `postgres://user[:password]@host[:port]/database[?sslmode=…]`, `mongodb://…` or `mongodb+srv://…`. */
export function readDataStoreAddress(text: string): DataStoreAddressOutcome {
  if (/^postgres(?:ql)?:\/\//.test(text)) return postgresAddress(text);
  if (/^mongodb(?:\+srv)?:\/\//.test(text)) return mongoAddress(text);
  return { mistake: 'must begin with postgres://, mongodb:// or mongodb+srv://' };
}

function postgresAddress(text: string): DataStoreAddressOutcome {
  if (!URL.canParse(text)) return { mistake: 'must be an address, postgres://user@host:port/database' };
  const url = new URL(text);
  const parts = [url.username, url.password, url.pathname.replace(/^\//, '')].map(plain);
  const [user, password, database] = parts;
  if (user === undefined || password === undefined || database === undefined) {
    return { mistake: 'must have user, password and database percent-encoded' };
  }
  if (url.hostname === '' || user === '' || database === '' || database.includes('/')) {
    return { mistake: 'must name a user, a host and a database' };
  }
  const mode = url.searchParams.get('sslmode') ?? 'disable';
  const isKnown = [...url.searchParams.keys()].join(',').replace('sslmode', '') === '';
  if (!isKnown || url.hash !== '') return { mistake: 'must have no option but sslmode' };
  if (mode !== 'disable' && !TLS_MODES.has(mode)) {
    return { mistake: `must have an sslmode of disable, ${[...TLS_MODES].join(', ')}` };
  }
  return {
    address: {
      kind: 'postgres',
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || POSTGRES_PORT,
      user,
      ...(password === '' ? {} : { password }),
      database,
      isTls: TLS_MODES.has(mode),
    },
  };
}

/** The driver reads it whole when it connects; what it would refuse then is refused at the start as far as it is plain. */
function mongoAddress(text: string): DataStoreAddressOutcome {
  const [, scheme = '', account = '', hosts = '', database = '', query = ''] =
    /^(mongodb(?:\+srv)?):\/\/(?:([^@/]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(text) ?? [];
  if (hosts === '') return { mistake: 'must be an address, mongodb://host:port/database' };
  const options = new URLSearchParams(query);
  if ([...options.keys()].some((name) => UNSAFE_OPTIONS.test(name))) {
    return { mistake: 'must not switch off the checking of certificates' };
  }
  if ([account, database].some((part) => plain(part) === undefined)) {
    return { mistake: 'must have user, password and database percent-encoded' };
  }
  const named = hosts.split(',').map((host) => {
    const [, name = '', port] = /^(\[[0-9a-fA-F:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/.exec(host) ?? [];
    return { host: name.replace(/^\[|\]$/g, ''), port: port === undefined ? MONGO_PORT : Number(port) };
  });
  if (named.some(({ host, port }) => host === '' || port < 1 || port > 65_535)) {
    return { mistake: 'must name hosts, each with or without a port' };
  }
  const isDirect = scheme === 'mongodb';
  return {
    address: {
      kind: 'mongodb',
      url: text,
      hosts: isDirect ? named : [],
      database: plain(database) || DATABASE_DEFAULT,
      isTls: (options.get('tls') ?? options.get('ssl') ?? String(!isDirect)) === 'true',
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
