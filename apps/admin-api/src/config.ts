import type { NoteSigner } from '@portcullis/audit-chain';
import type { Network, RefusedNetwork } from '@portcullis/egress';
import type { EnvAllow } from '@portcullis/vaults';
import type { AnchorSettings } from './audits/checkpoints/anchor-setting.ts';
import type { AddressList } from './http/address-list.ts';
import { variablesOfDrivers } from './integrations/driver-environment.ts';
import { type LogLevel, logLevels } from './logging.ts';
import type { KeyRing } from './secrets/key-ring.ts';
import {
  addresses,
  anchors,
  databaseAddress,
  keyCommand,
  keyRingOf,
  level,
  listenAddress,
  networks,
  newPassword,
  onOrOff,
  origins,
  portNumber,
  refusedNetworks,
  SettingError,
  signingKeys,
  userName,
  variableLists,
} from './setting-values.ts';

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
  /** What integrations must not call, whatever is allowed. Source: decisions, 20. */
  readonly refusedAddresses?: readonly RefusedNetwork[];
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
  const refusedAddresses = read('PORTCULLIS_REFUSED_ADDRESSES', refusedNetworks);
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
    refusedAddresses &&
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
      refusedAddresses,
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
  PORTCULLIS_REFUSED_ADDRESSES: {
    meaning:
      'Addresses and CIDR ranges, each with or without a port (10.0.0.5:5432, [fd00::5]:5432), that integrations never call, comma-separated. ' +
      'Set it for gateways, too',
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
