import { isIP } from 'node:net';
import type { NoteSigner } from '@portcullis/audit-chain';
import { type Network, readNetworks } from '@portcullis/egress';
import { type EnvAllow, parseEnvAllow } from '@portcullis/vaults';
import { type AnchorSettings, parseAnchors } from './audits/checkpoints/anchor-setting.ts';
import { parseAuditKeys } from './audits/checkpoints/audit-key-setting.ts';
import { isServerAddress } from './database/server-address.ts';
import { type AddressList, parseAddressList } from './http/address-list.ts';
import { variablesOfDrivers } from './integrations/driver-environment.ts';
import { passwordWeakness } from './identity/password-rules.ts';
import { type LogLevel, logLevels } from './logging.ts';
import { type KeyRing, parseKeyRing } from './secrets/key-ring.ts';

/** Everything that the service takes from its environment, checked. Source: design, Running. */
export interface Config {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly databaseUrl: string;
  readonly keyRing: KeyRing;
  readonly administrator: { readonly username: string; readonly password: string | undefined };
  readonly logLevel: LogLevel;
  readonly trustedProxies: AddressList;
  /** Who may read `/metrics`; everyone when not given. */
  readonly metricsAllow: AddressList | undefined;
  /** Origins whose pages may read answers. */
  readonly corsOrigins: ReadonlySet<string>;
  /** Keys that sign checkpoints of the audit log, the one that signs first; none when the service makes its own. */
  readonly auditKeys: readonly NoteSigner[];
  readonly auditAnchors: AnchorSettings;
  /** Whether tenants may share cached answers of AI providers. Default: they may not. Source: decisions, 22. */
  readonly sharesAiAnswers?: boolean;
  /** What integrations may call beside public addresses. Source: decisions, 20. */
  readonly allowedAddresses?: readonly Network[];
  /** Variables that drivers of integrations read themselves: a cloud's own, with its endpoint. */
  readonly driverEnvironment?: Readonly<Record<string, string | undefined>>;
  /** Variables of gateways that each tenant's configuration may name; `undefined` where it is not known here. Source: decisions, 19. */
  readonly envAllow?: EnvAllow | undefined;
}

/** The settings, or everything that is wrong with them, a sentence each. No sentence repeats a value. */
export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly errors: readonly string[] };

/** Reads the settings from an environment. A setting that is empty counts as not given. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): ConfigResult {
  const errors: string[] = [];
  const read = <Value>(name: SettingName, parse: (text: string) => Value): Value | undefined => {
    const text = environment[name] === '' ? undefined : environment[name];
    try {
      return parse(text ?? settings[name].fallback ?? '');
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      errors.push(`${name} ${error.message}`);
      return undefined;
    }
  };
  const host = read('PORTCULLIS_ADMIN_HOST', listenAddress);
  const port = read('PORTCULLIS_ADMIN_PORT', portNumber);
  const databaseUrl = read('PORTCULLIS_DATABASE_URL', databaseAddress);
  const keyRing = read('PORTCULLIS_SECRET_KEYS', keyRingOf);
  const username = read('PORTCULLIS_ADMIN_USERNAME', userName);
  const password = read('PORTCULLIS_ADMIN_PASSWORD', newPassword);
  const logLevel = read('PORTCULLIS_LOG_LEVEL', level);
  const trustedProxies = read('PORTCULLIS_TRUSTED_PROXIES', addresses);
  const metricsAllow = read('PORTCULLIS_METRICS_ALLOW', addresses);
  const corsOrigins = read('PORTCULLIS_CORS_ORIGINS', origins);
  const auditKeys = read('PORTCULLIS_AUDIT_KEY', signingKeys);
  const auditAnchors = read('PORTCULLIS_AUDIT_ANCHOR', anchors);
  const sharesAiAnswers = read('PORTCULLIS_AI_SHARED_CACHE', onOrOff);
  const allowedAddresses = read('PORTCULLIS_ALLOW_PRIVATE_ADDRESSES', networks);
  const envAllow = read('PORTCULLIS_ENV_ALLOW', variableLists);
  const isComplete =
    host !== undefined &&
    port !== undefined &&
    databaseUrl !== undefined &&
    keyRing &&
    username !== undefined &&
    logLevel &&
    trustedProxies &&
    corsOrigins &&
    auditKeys &&
    auditAnchors &&
    sharesAiAnswers !== undefined &&
    allowedAddresses &&
    envAllow;
  if (errors.length > 0 || !isComplete) return { ok: false, errors };
  const isRestricted = Boolean(environment['PORTCULLIS_METRICS_ALLOW']);
  return {
    ok: true,
    config: {
      host,
      port,
      databaseUrl,
      keyRing,
      administrator: { username, password },
      logLevel,
      trustedProxies,
      metricsAllow: isRestricted ? metricsAllow : undefined,
      corsOrigins,
      auditKeys,
      auditAnchors,
      sharesAiAnswers,
      allowedAddresses,
      driverEnvironment: variablesOfDrivers(environment),
      envAllow: environment['PORTCULLIS_ENV_ALLOW'] ? envAllow : undefined,
    },
  };
}

/** What `--help` prints about the settings. */
export function settingsHelp(): string {
  const width = Math.max(...Object.keys(settings).map((name) => name.length));
  const lines = Object.entries(settings).map(([name, { meaning, fallback }]) => {
    const given = fallback === undefined || fallback === '' ? '' : ` (default ${fallback})`;
    return `  ${name.padEnd(width)}  ${meaning}${given}`;
  });
  return `Settings are environment variables:\n${lines.join('\n')}\n`;
}

const keyCommand = `node -e "console.log('k1:' + require('node:crypto').randomBytes(32).toString('base64'))"`;

const settings = {
  PORTCULLIS_ADMIN_HOST: { meaning: 'Address to listen on', fallback: '127.0.0.1' },
  PORTCULLIS_ADMIN_PORT: { meaning: 'Port to listen on; 0 takes a free one', fallback: '8001' },
  PORTCULLIS_DATABASE_URL: {
    meaning: 'sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME',
    fallback: 'sqlite:portcullis.sqlite',
  },
  PORTCULLIS_SECRET_KEYS: {
    meaning: `Keys that seal secrets, ID:BASE64 of 32 bytes, comma-separated, the first one seals. Required. Make one: ${keyCommand}`,
    fallback: undefined,
  },
  PORTCULLIS_ADMIN_USERNAME: { meaning: 'Name of the first super administrator', fallback: 'admin' },
  PORTCULLIS_ADMIN_PASSWORD: {
    meaning: 'Password of the first super administrator; made up and printed once when not given',
    fallback: '',
  },
  PORTCULLIS_LOG_LEVEL: { meaning: `One of ${logLevels.join(', ')}`, fallback: 'info' },
  PORTCULLIS_TRUSTED_PROXIES: {
    meaning: 'Addresses or CIDR ranges whose X-Forwarded-For is believed, comma-separated',
    fallback: '',
  },
  PORTCULLIS_METRICS_ALLOW: {
    meaning: 'Addresses or CIDR ranges that may read /metrics, comma-separated; everyone when not given',
    fallback: '',
  },
  PORTCULLIS_CORS_ORIGINS: {
    meaning:
      'Origins such as https://console.example.com whose pages may use the API, comma-separated; none when not given',
    fallback: '',
  },
  PORTCULLIS_AI_SHARED_CACHE: {
    meaning: 'on lets tenants share cached answers of AI providers where their configuration says so',
    fallback: 'off',
  },
  PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: {
    meaning:
      'Addresses and CIDR ranges that integrations may call beside public ones, comma-separated; also over http. Set it for gateways, too',
    fallback: '',
  },
  PORTCULLIS_ENV_ALLOW: {
    meaning:
      'Variables of the gateways that configuration may name, TENANT:NAME,NAME;TENANT:NAME, as set for them. When not given, only ' +
      'names that no list may have are refused',
    fallback: '',
  },
  PORTCULLIS_AUDIT_KEY: {
    meaning:
      'Ed25519 keys that sign checkpoints of the audit log, NAME:BASE64 of 32 bytes, comma-separated: the first signs, the ' +
      'others did before. When not given, one is made once and kept sealed in the database',
    fallback: '',
  },
  PORTCULLIS_AUDIT_ANCHOR: {
    meaning:
      'Where signed checkpoints go besides the database, comma-separated: file:/PATH (appended to), log, header ' +
      '(X-Audit-Checkpoint of writes), https://HOST/PATH (POST), or none',
    fallback: 'log,header',
  },
} as const satisfies Record<string, { readonly meaning: string; readonly fallback: string | undefined }>;

type SettingName = keyof typeof settings;

/** A setting's value breaks a rule. The message continues a sentence that begins with the setting's name. */
class SettingError extends Error {}

function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new SettingError('must be on or off.');
  return text === 'on';
}

function portNumber(text: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new SettingError('must be a port from 0 to 65535.');
  return port;
}

/** Whether the address can be had shows only when it is listened on; whether it is one at all is told with the rest. */
function listenAddress(text: string): string {
  const isName = /^(?=.{1,253}$)[\w-]{1,63}(?:\.[\w-]{1,63})*$/.test(text) && !/^[\d.]+$/.test(text);
  if (isIP(text) === 0 && !isName) throw new SettingError('must be an IP address, without brackets, or a host name.');
  return text;
}

function databaseAddress(text: string): string {
  if (!/^(?:sqlite:.|postgres(?:ql)?:\/\/.)/.test(text)) {
    throw new SettingError('must begin with sqlite: and a path, or with postgres://.');
  }
  if (/^sqlite:(?:\/\/)?(?:$|.*:memory:)/.test(text)) {
    throw new SettingError('needs the path of a file after sqlite:; a database in memory cannot be shared by threads.');
  }
  if (text.startsWith('postgres') && !isServerAddress(text)) {
    throw new SettingError(
      'must have the form postgres://USER:PASSWORD@HOST:PORT/NAME; write %40 for @, %3A for :, %2F for / and %25 for % ' +
        'inside a part.',
    );
  }
  return text;
}

function keyRingOf(text: string): KeyRing {
  if (text === '') throw new SettingError(`is not set; make a key, keep it safe, and set it: ${keyCommand}`);
  const result = parseKeyRing(text);
  if (result.ok) return result.keyRing;
  const problems = result.problems.map(({ position, message }) => `entry ${position} ${message}`);
  throw new SettingError(`is not usable: ${problems.join('; ')}.`);
}

function signingKeys(text: string): readonly NoteSigner[] {
  if (text === '') return [];
  const result = parseAuditKeys(text);
  if (!result.ok) throw new SettingError(result.message);
  return result.signers;
}

function anchors(text: string): AnchorSettings {
  const result = parseAnchors(text);
  if (!result.ok) throw new SettingError(result.message);
  return result.anchors;
}

function networks(text: string): readonly Network[] {
  const result = readNetworks(text);
  if (!result.ok) throw new SettingError(`must list addresses or CIDR ranges: ${result.mistakes.join('; ')}.`);
  return result.networks;
}

function variableLists(text: string): EnvAllow {
  const result = parseEnvAllow(text);
  if ('mistake' in result) throw new SettingError(`${result.mistake}.`);
  return result.allow;
}

function userName(text: string): string {
  const isFit = text.length <= 128 && text.trim() === text && /^[^\p{Cc}\p{Cs}]+$/u.test(text);
  if (!isFit) throw new SettingError('must be 1 to 128 characters without control characters or spaces around.');
  return text;
}

function newPassword(text: string): string | undefined {
  if (text === '') return undefined;
  const weakness = passwordWeakness(text);
  if (weakness !== undefined) throw new SettingError(`${weakness}.`);
  return text;
}

function level(text: string): LogLevel {
  const found = logLevels.find((candidate) => candidate === text);
  if (found === undefined) throw new SettingError(`must be one of ${logLevels.join(', ')}.`);
  return found;
}

function addresses(text: string): AddressList {
  const result = parseAddressList(entriesOf(text));
  if (!result.ok)
    throw new SettingError(`must list addresses or CIDR ranges; ${result.invalid.length} of them are neither.`);
  return result.list;
}

/** Exact origins only: `*` would let any page that a user visits try the service from inside its network. */
function origins(text: string): ReadonlySet<string> {
  const entries = entriesOf(text);
  const wrong = entries.filter((entry) => !isOrigin(entry));
  if (wrong.length > 0)
    throw new SettingError(`must list origins such as https://console.example.com; ${wrong.length} of them are none.`);
  return new Set(entries);
}

function isOrigin(text: string): boolean {
  return /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function entriesOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
