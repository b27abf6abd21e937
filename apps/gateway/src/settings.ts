import { isIP } from 'node:net';

/** Everything that the gateway takes from its environment. */
export interface Settings {
  readonly controlPlaneUrl: string;
  readonly token: string;
  readonly proxyHost: string;
  readonly proxyPort: number;
  readonly statusHost: string;
  readonly statusPort: number;
  readonly cacheDir: string;
  readonly trustedProxies: readonly string[];
  readonly logLevel: (typeof logLevels)[number];
}

/** Settings, or one sentence per mistake. */
export type SettingsOutcome =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly mistakes: readonly string[] };

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** Reads the settings and finds all mistakes at once. Values are not repeated: some are secrets. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SettingsOutcome {
  const mistakes: string[] = [];
  const text = (name: string, fallback: string): string => env[name]?.trim() || fallback;
  const settings: Settings = {
    controlPlaneUrl: httpUrl(text('PORTCULLIS_CONTROL_PLANE_URL', ''), mistakes),
    token: token(text('PORTCULLIS_DATA_PLANE_TOKEN', ''), mistakes),
    proxyHost: text('PORTCULLIS_PROXY_HOST', '127.0.0.1'),
    proxyPort: port('PORTCULLIS_PROXY_PORT', text('PORTCULLIS_PROXY_PORT', '8000'), mistakes),
    statusHost: text('PORTCULLIS_STATUS_HOST', '127.0.0.1'),
    statusPort: port('PORTCULLIS_STATUS_PORT', text('PORTCULLIS_STATUS_PORT', '8100'), mistakes),
    cacheDir: text('PORTCULLIS_CACHE_DIR', '.portcullis/gateway-cache'),
    trustedProxies: ranges(text('PORTCULLIS_TRUSTED_PROXIES', ''), mistakes),
    logLevel: logLevel(text('PORTCULLIS_LOG_LEVEL', 'info'), mistakes),
  };
  if (text('PORTCULLIS_WORKERS', '1') !== '1') {
    mistakes.push(
      'PORTCULLIS_WORKERS must be 1: this release runs one worker; start one gateway for each core instead.',
    );
  }
  return mistakes.length > 0 ? { ok: false, mistakes } : { ok: true, settings };
}

function httpUrl(value: string, mistakes: string[]): string {
  if (value === '') mistakes.push('PORTCULLIS_CONTROL_PLANE_URL is missing: the address of the control plane.');
  else if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    mistakes.push('PORTCULLIS_CONTROL_PLANE_URL must be an http or https address.');
  }
  return value;
}

function token(value: string, mistakes: string[]): string {
  if (value === '') mistakes.push('PORTCULLIS_DATA_PLANE_TOKEN is missing: the token of a data plane (gwdp_…).');
  else if (!/^[\x21-\x7e]+$/.test(value)) mistakes.push('PORTCULLIS_DATA_PLANE_TOKEN must be printable ASCII.');
  return value;
}

function port(name: string, value: string, mistakes: string[]): number {
  const number = Number(value);
  if (!/^\d{1,5}$/.test(value) || number > 65_535)
    mistakes.push(`${name} must be a port from 0 to 65535 (0: any free one).`);
  return number;
}

function ranges(value: string, mistakes: string[]): readonly string[] {
  const items = value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const isRange = (item: string): boolean => {
    const [address = '', bits, ...more] = item.split('/');
    const version = isIP(address);
    const bitsMax = version === 6 ? 128 : 32;
    return (
      version !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax))
    );
  };
  if (!items.every(isRange))
    mistakes.push('PORTCULLIS_TRUSTED_PROXIES must be a comma list of addresses and CIDR ranges.');
  return items;
}

function logLevel(value: string, mistakes: string[]): Settings['logLevel'] {
  const known = logLevels.find((level) => level === value);
  if (known === undefined) mistakes.push(`PORTCULLIS_LOG_LEVEL must be one of ${logLevels.join(', ')}.`);
  return known ?? 'info';
}
