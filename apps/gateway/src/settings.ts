import { isIP } from 'node:net';
import { type Network, readNetworks, readRefusedNetworks, type RefusedNetwork } from '@portcullis/egress';
import { observationLimits } from '@portcullis/resources';
import { parseEnvAllow, type EnvAllow } from '@portcullis/vaults';
import { recordsPerSecondDefault } from './observations/record-allowance.ts';
import { type PortSettings, readPorts, streamPortsMax } from './listeners/listener-settings.ts';
import { bytesPerMb, heldBodiesMbDefault } from './proxy/byte-budget.ts';
import { admissionDefaults, type AdmissionLimits } from './overload/admission.ts';
import type { LogFolderSettings } from './log-files/log-folder.ts';
import { readOtelSettings, type OtelSettings } from './telemetry/otel-settings.ts';
import { traceContextModes, type TraceContextMode } from './tracing/trace-contexts.ts';
import { type DataStoreAddress, readDataStoreAddress } from './data-stores/data-store-address.ts';
import { serverLimits } from './transport/server-limits.ts';
import { readRedisAddress, type RedisAddress } from './shared-store/redis-address.ts';

/** Everything that the gateway takes from its environment. */
export interface Settings extends PortSettings {
  readonly controlPlaneUrl: string;
  readonly token: string;
  readonly proxyHost: string;
  readonly proxyPort: number;
  readonly statusHost: string;
  readonly statusPort: number;
  readonly cacheDir: string;
  readonly trustedProxies: readonly string[];
  /** Name servers for upstreams, `address` or `address:port`; the system's when there are none. */
  readonly dnsServers: readonly string[];
  /** What neither upstreams nor plugins must call, besides what no gateway lets them. */
  readonly refusedAddresses: readonly RefusedNetwork[];
  /** Networks that plugins may call beside public addresses. */
  readonly allowedNetworks: readonly Network[];
  /** Variables that each tenant's `env` vaults may read. */
  readonly envAllow: EnvAllow;
  /** Folder with a folder for each tenant's `file` vaults. Default: none, no tenant reads files. */
  readonly fileVaultDir?: string | undefined;
  /** Where several gateway processes count together. Default: none. */
  readonly redis?: RedisAddress | undefined;
  /** The database in which caches of AI answers may be. Default: none. */
  readonly aiCache?: DataStoreAddress | undefined;
  /** Whether tenants may share cached answers of AI providers. Default: they may not. Source: decisions, 22. */
  readonly sharesAiAnswers?: boolean;
  readonly logLevel: (typeof logLevels)[number];
  /** `off`, `stdout` or the path of a file. */
  readonly accessLog: string;
  /** Raw records of requests that a worker keeps; see `RecordAllowance`. Default: {@link recordsPerSecondDefault}. */
  readonly recordsPerSecond?: number;
  /** Processes that carry traffic. */
  readonly workers: number;
  /** After a signal to stop: how long it goes on as before, not ready, so that whoever sends traffic takes note. */
  readonly stopDelayMs: number;
  /** How long requests in flight may take after that. */
  readonly drainMs: number;
  /** See `AdmissionLimits`. */
  readonly overload: AdmissionLimits;
  /** Memory for bodies that are held, of all requests of a process together, in MB; see `ByteBudget`. Default: {@link heldBodiesMbDefault}. */
  readonly heldBodiesMb?: number;
  /** Where plugins may append to files. Default: nowhere. */
  readonly logFolder?: LogFolderSettings | undefined;
  /** What becomes of clients' trace contexts. */
  readonly traceContext: TraceContextMode;
  readonly otel: OtelSettings;
  /** Packages with plugins of the operator's own; see `loadPluginPackages`. Default: none. */
  readonly pluginPackages?: readonly string[];
}

/** Settings, or one sentence per mistake. */
export type SettingsOutcome =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly mistakes: readonly string[] };

/** More processes than any machine's cores are a slip of the finger. */
const workersMax = 256;

/** So many go with the batch of a second. */
const recordsPerSecondMax = observationLimits.recordsMax;

/** A process that held more would have no heap for it. */
const heldBodiesMbMax = 65_536;

/** An hour: nobody waits longer for a process to end. */
const stopSecondsMax = 3600;

/** What a tenant's log files may grow to, in MB, where the operator says nothing. */
const logFileMbDefault = 100;
const logFilesKeptDefault = 5;
const logTenantMbDefault = 1024;

/** Each rotation renames all of them. */
const logFilesKeptMax = 100;

/** A terabyte: more is a slip of the finger. */
const logMbMax = 1_048_576;

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** Reads the settings and finds all mistakes at once. Values are not repeated: some are secrets. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SettingsOutcome {
  const mistakes: string[] = [];
  const text = (name: string, fallback: string): string => env[name]?.trim() || fallback;
  const whole = (name: string, fallback: number, least: number, most: number): number =>
    wholeNumber(name, text(name, `${fallback}`), least, most, mistakes);
  const logDir = text('PORTCULLIS_LOG_DIR', '');
  const logBounds = {
    fileBytesMax: whole('PORTCULLIS_LOG_FILE_MB', logFileMbDefault, 1, logMbMax) * bytesPerMb,
    kept: whole('PORTCULLIS_LOG_FILES_KEPT', logFilesKeptDefault, 0, logFilesKeptMax),
    tenantBytesMax: whole('PORTCULLIS_LOG_TENANT_MB', logTenantMbDefault, 1, logMbMax) * bytesPerMb,
  };
  const settings: Settings = {
    controlPlaneUrl: httpUrl(text('PORTCULLIS_CONTROL_PLANE_URL', ''), mistakes),
    token: token(text('PORTCULLIS_DATA_PLANE_TOKEN', ''), mistakes),
    proxyHost: text('PORTCULLIS_PROXY_HOST', '127.0.0.1'),
    proxyPort: port('PORTCULLIS_PROXY_PORT', text('PORTCULLIS_PROXY_PORT', '8000'), mistakes),
    proxyTlsPort: port('PORTCULLIS_PROXY_TLS_PORT', text('PORTCULLIS_PROXY_TLS_PORT', '8443'), mistakes),
    isProxyTlsPortChosen: text('PORTCULLIS_PROXY_TLS_PORT', '') !== '',
    streamPorts: ports('PORTCULLIS_STREAM_PORTS', text('PORTCULLIS_STREAM_PORTS', ''), mistakes),
    proxyProtocol: onOrOff('PORTCULLIS_PROXY_PROTOCOL', text('PORTCULLIS_PROXY_PROTOCOL', 'off'), mistakes),
    connectionsPerAddress: whole('PORTCULLIS_CONNECTIONS_PER_ADDRESS', 0, 0, serverLimits.connectionsMax),
    statusHost: text('PORTCULLIS_STATUS_HOST', '127.0.0.1'),
    statusPort: port('PORTCULLIS_STATUS_PORT', text('PORTCULLIS_STATUS_PORT', '8100'), mistakes),
    cacheDir: text('PORTCULLIS_CACHE_DIR', '.portcullis/gateway-cache'),
    trustedProxies: ranges(text('PORTCULLIS_TRUSTED_PROXIES', ''), mistakes),
    dnsServers: nameServers(text('PORTCULLIS_DNS_SERVERS', ''), mistakes),
    refusedAddresses: refused(text('PORTCULLIS_REFUSED_ADDRESSES', ''), mistakes),
    allowedNetworks: allowed(text('PORTCULLIS_ALLOW_PRIVATE_ADDRESSES', ''), mistakes),
    envAllow: envAllow(text('PORTCULLIS_ENV_ALLOW', ''), mistakes),
    fileVaultDir: text('PORTCULLIS_FILE_VAULT_DIR', '') || undefined,
    redis: redis(text('PORTCULLIS_REDIS_URL', ''), mistakes),
    aiCache: aiCache(text('PORTCULLIS_AI_CACHE_URL', ''), mistakes),
    sharesAiAnswers: onOrOff('PORTCULLIS_AI_SHARED_CACHE', text('PORTCULLIS_AI_SHARED_CACHE', 'off'), mistakes),
    logLevel: logLevel(text('PORTCULLIS_LOG_LEVEL', 'info'), mistakes),
    accessLog: text('PORTCULLIS_ACCESS_LOG', 'off'),
    recordsPerSecond: whole('PORTCULLIS_RECORDS_PER_SECOND', recordsPerSecondDefault, 0, recordsPerSecondMax),
    workers: whole('PORTCULLIS_WORKERS', 1, 1, workersMax),
    stopDelayMs: whole('PORTCULLIS_STOP_DELAY_SECONDS', 0, 0, stopSecondsMax) * 1000,
    drainMs: whole('PORTCULLIS_DRAIN_SECONDS', 10, 0, stopSecondsMax) * 1000,
    overload: {
      turnTargetMs: whole('PORTCULLIS_OVERLOAD_DELAY_MS', admissionDefaults.turnTargetMs, 0, 10_000),
      inFlightMax: whole('PORTCULLIS_REQUESTS_IN_FLIGHT', admissionDefaults.inFlightMax, 1, 1_000_000),
    },
    logFolder: logDir === '' ? undefined : { folder: logDir, ...logBounds },
    heldBodiesMb: whole('PORTCULLIS_HELD_BODIES_MB', heldBodiesMbDefault, 1, heldBodiesMbMax),
    traceContext: traceContext(text('PORTCULLIS_TRACE_CONTEXT', 'on'), mistakes),
    otel: readOtelSettings({ text, whole, mistakes }),
    pluginPackages: text('PORTCULLIS_PLUGIN_PACKAGES', '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  };
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

function ports(name: string, list: string, mistakes: string[]): readonly number[] {
  const read = readPorts(list);
  if (read === undefined)
    mistakes.push(`${name} must be a comma list of at most ${streamPortsMax} ports from 1 to 65535, each once.`);
  return read ?? [];
}

function wholeNumber(name: string, value: string, least: number, most: number, mistakes: string[]): number {
  const number = Number(value);
  if (!/^\d{1,9}$/.test(value) || number < least || number > most)
    mistakes.push(`${name} must be a whole number from ${least} to ${most}.`);
  return number;
}

function traceContext(value: string, mistakes: string[]): TraceContextMode {
  const known = traceContextModes.find((mode) => mode === value);
  if (known === undefined) mistakes.push(`PORTCULLIS_TRACE_CONTEXT must be one of ${traceContextModes.join(', ')}.`);
  return known ?? 'on';
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

function refused(list: string, mistakes: string[]): readonly RefusedNetwork[] {
  const networks = readRefusedNetworks(list);
  if (networks === undefined) {
    mistakes.push('PORTCULLIS_REFUSED_ADDRESSES must list addresses or CIDR ranges, each with or without a port.');
  }
  return networks ?? [];
}

function allowed(list: string, mistakes: string[]): readonly Network[] {
  const outcome = readNetworks(list);
  if (outcome.ok) return outcome.networks;
  mistakes.push(...outcome.mistakes.map((mistake) => `PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: ${mistake}.`));
  return [];
}

function envAllow(list: string, mistakes: string[]): EnvAllow {
  const outcome = parseEnvAllow(list);
  if ('allow' in outcome) return outcome.allow;
  mistakes.push(`PORTCULLIS_ENV_ALLOW ${outcome.mistake}.`);
  return new Map();
}

function redis(url: string, mistakes: string[]): RedisAddress | undefined {
  if (url === '') return undefined;
  const outcome = readRedisAddress(url);
  if ('address' in outcome) return outcome.address;
  mistakes.push(`PORTCULLIS_REDIS_URL ${outcome.mistake}.`);
  return undefined;
}

function onOrOff(name: string, value: string, mistakes: string[]): boolean {
  if (value !== 'on' && value !== 'off') mistakes.push(`${name} must be on or off.`);
  return value === 'on';
}

function aiCache(url: string, mistakes: string[]): DataStoreAddress | undefined {
  if (url === '') return undefined;
  const outcome = readDataStoreAddress(url);
  if ('address' in outcome) return outcome.address;
  mistakes.push(`PORTCULLIS_AI_CACHE_URL ${outcome.mistake}.`);
  return undefined;
}

/** `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`, with commas between them. */
function nameServers(list: string, mistakes: string[]): readonly string[] {
  const servers = list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const isServer = (item: string): boolean => {
    if (isIP(item) !== 0) return true;
    const [, host = '', number = ''] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(item) ?? [];
    return isIP(host) !== 0 && Number(number) >= 1 && Number(number) <= 65_535;
  };
  if (!servers.every(isServer)) {
    mistakes.push('PORTCULLIS_DNS_SERVERS must list addresses of name servers, with or without a port.');
  }
  return servers;
}
