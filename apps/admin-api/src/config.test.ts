import { describe, expect, it } from 'vitest';
import { readConfig, settingsHelp } from './config.ts';

const key = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const seed = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const good = { PORTCULLIS_SECRET_KEYS: key };

describe('readConfig', () => {
  it('needs nothing but a key', () => {
    const result = readConfig(good);
    expect(result).toMatchObject({
      ok: true,
      config: {
        host: '127.0.0.1',
        port: 8001,
        databaseUrl: 'sqlite:portcullis.sqlite',
        administrator: { username: 'admin', password: undefined },
        logLevel: 'info',
        metricsAllow: undefined,
      },
    });
    expect(result.ok && result.config.trustedProxies.has('127.0.0.1')).toBe(false);
  });

  it('reads address lists', () => {
    const result = readConfig({
      ...good,
      PORTCULLIS_METRICS_ALLOW: '10.0.0.0/8, ::1',
      PORTCULLIS_TRUSTED_PROXIES: '192.0.2.1',
    });
    if (!result.ok) throw new Error(result.errors.join());
    const { metricsAllow, trustedProxies } = result.config;
    expect(['10.9.8.7', '::1', '11.0.0.1', 'x'].map((address) => metricsAllow?.has(address))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([trustedProxies.has('192.0.2.1'), trustedProxies.has('192.0.2.2')]).toEqual([true, false]);
  });

  it.each([
    ['PORTCULLIS_ADMIN_PORT', 'eighty', /must be a port/],
    ['PORTCULLIS_ADMIN_PORT', '65536', /must be a port/],
    ['PORTCULLIS_ADMIN_PORT', '-1', /must be a port/],
    ['PORTCULLIS_DATABASE_URL', 'mysql://canary', /must begin with/],
    ['PORTCULLIS_DATABASE_URL', 'sqlite::memory:', /needs the path/],
    ['PORTCULLIS_DATABASE_URL', 'sqlite://', /needs the path/],
    ['PORTCULLIS_DATABASE_URL', 'postgres://post:canary:top@@', /must have the form/],
    ['PORTCULLIS_DATABASE_URL', 'postgres://u:canary@db:port/x', /must have the form/],
    ['PORTCULLIS_DATABASE_URL', 'postgres://u:canary@db:70000/x', /must have the form/],
    ['PORTCULLIS_DATABASE_URL', 'postgres://u:can%ary@db/x', /%25 for %/],
    ['PORTCULLIS_DATABASE_URL', 'postgres:///canary', /must have the form/],
    ['PORTCULLIS_ADMIN_HOST', '999.canary..1', /must be an IP address/],
    ['PORTCULLIS_ADMIN_HOST', '300.1.1.1', /must be an IP address/],
    ['PORTCULLIS_ADMIN_HOST', '[::1]', /without brackets/],
    ['PORTCULLIS_ADMIN_HOST', 'http://canary', /must be an IP address/],
    ['PORTCULLIS_ADMIN_HOST', 'can ary', /must be an IP address/],
    ['PORTCULLIS_SECRET_KEYS', '', /is not set; make a key.*node -e/],
    ['PORTCULLIS_SECRET_KEYS', 'k1:canary', /entry 1/],
    ['PORTCULLIS_SECRET_KEYS', `${key},${key}`, /entry 2/],
    ['PORTCULLIS_ADMIN_PASSWORD', 'canary', /at least 8 characters/],
    ['PORTCULLIS_ADMIN_USERNAME', ' canary', /characters/],
    ['PORTCULLIS_LOG_LEVEL', 'canary', /must be one of trace/],
    ['PORTCULLIS_TRUSTED_PROXIES', '10.0.0.0/33', /CIDR/],
    ['PORTCULLIS_METRICS_ALLOW', 'canary', /CIDR/],
    ['PORTCULLIS_CORS_ORIGINS', '*', /origins/],
    ['PORTCULLIS_CORS_ORIGINS', 'null', /origins/],
    ['PORTCULLIS_CORS_ORIGINS', 'https://canary.test/', /origins/],
    ['PORTCULLIS_CORS_ORIGINS', 'https://*.canary.test', /origins/],
    ['PORTCULLIS_CORS_ORIGINS', 'https://a.test, canary.test', /1 of them/],
    ['PORTCULLIS_AI_SHARED_CACHE', 'canary', /must be on or off/],
    ['PORTCULLIS_AUDIT_KEY', 'canary', /entry 1 is not of the form/],
    ['PORTCULLIS_AUDIT_KEY', 'log:canary', /entry 1 is not 32 bytes/],
    ['PORTCULLIS_AUDIT_KEY', `can+ary:${seed(1)}`, /entry 1 has a name/],
    ['PORTCULLIS_AUDIT_KEY', `log:${seed(1)},canary:${seed(2)}`, /entry 2 has another name/],
    ['PORTCULLIS_AUDIT_KEY', `log:${seed(1)},log:${seed(1)}`, /entry 2 repeats/],
    ['PORTCULLIS_AUDIT_ANCHOR', 'canary', /1 of them are none/],
    ['PORTCULLIS_AUDIT_ANCHOR', 'file:canary', /1 of them are none/],
    ['PORTCULLIS_AUDIT_ANCHOR', 'log,ftp://canary', /1 of them are none/],
    ['PORTCULLIS_AUDIT_ANCHOR', 'https://canary:canary@anchor.test/x', /without user and password/],
    ['PORTCULLIS_AUDIT_ANCHOR', 'none,log', /beside none/],
  ])('says in a sentence what is wrong with %s=%s, without its value', (name, value, sentence) => {
    const result = readConfig({ ...good, [name]: value });
    expect(result).toEqual({ ok: false, errors: [expect.stringMatching(sentence) as unknown] });
    expect(JSON.stringify(result)).toContain(name);
    expect(JSON.stringify(result)).not.toContain('canary');
  });

  it.each([
    ['PORTCULLIS_ADMIN_HOST', 'host', ['0.0.0.0', '::', 'fe80::1%eth0', 'localhost', 'node-1.example.com']],
    [
      'PORTCULLIS_DATABASE_URL',
      'databaseUrl',
      [
        'sqlite:/var/lib/p.sqlite',
        'sqlite://p.sqlite',
        'postgres://u:p%40ss@db.example.com:5432/name?sslmode=require',
        'postgresql://u@[::1]/name',
        'postgres:///name?host=/var/run/postgresql',
      ],
    ],
  ] as const)('takes every usual %s', (name, field, values) => {
    for (const value of values) {
      const result = readConfig({ ...good, [name]: value });
      expect(result.ok ? result.config[field] : result.errors, value).toBe(value);
    }
  });

  it('reads the keys and anchors of the audit log', () => {
    const result = readConfig({
      ...good,
      PORTCULLIS_AUDIT_KEY: `log.example.com:${seed(1)}, log.example.com:${seed(2)}`,
      PORTCULLIS_AUDIT_ANCHOR: 'file:/var/anchor,https://anchor.test/x, header',
    });
    if (!result.ok) throw new Error(result.errors.join());
    const { auditKeys, auditAnchors } = result.config;
    expect(auditKeys.map(({ name }) => name)).toEqual(['log.example.com', 'log.example.com']);
    expect(auditAnchors).toEqual({
      files: ['/var/anchor'],
      urls: ['https://anchor.test/x'],
      isLogged: false,
      isHeader: true,
    });
    const usual = readConfig(good);
    expect(usual.ok && [usual.config.auditKeys, usual.config.auditAnchors.isLogged]).toEqual([[], true]);
  });

  it('knows what integrations may call and which variables configuration may name', () => {
    const read = (settings: Record<string, string>) => readConfig({ ...good, ...settings });
    const result = read({
      PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '10.2.0.0/16',
      PORTCULLIS_REFUSED_ADDRESSES: '10.2.0.5:5432',
      PORTCULLIS_ENV_ALLOW: 'acme:KEY',
      AWS_ENDPOINT_URL: 'https://cloud.test',
      DATABASE_URL: 'of nobody here',
    });
    expect(result.ok && result.config).toMatchObject({
      allowedAddresses: [{ address: '10.2.0.0', bits: 16 }],
      refusedAddresses: [{ address: '10.2.0.5', bits: 32, port: 5432 }],
      envAllow: new Map([['acme', new Set(['KEY'])]]),
    });
    expect(result.ok && Object.keys(result.config.driverEnvironment ?? {})).not.toContain('DATABASE_URL');
    expect(readConfig(good)).toMatchObject({
      config: { allowedAddresses: [], refusedAddresses: [], envAllow: undefined },
    });
    const wrong = read({
      PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: 'all',
      PORTCULLIS_REFUSED_ADDRESSES: 'db.test',
      PORTCULLIS_ENV_ALLOW: 'acme:PORTCULLIS_SECRET_KEYS',
    });
    expect(!wrong.ok && wrong.errors.map((error) => error.split(' ')[0])).toEqual([
      'PORTCULLIS_ALLOW_PRIVATE_ADDRESSES',
      'PORTCULLIS_REFUSED_ADDRESSES',
      'PORTCULLIS_ENV_ALLOW',
    ]);
  });

  it('tells all mistakes at once', () => {
    const result = readConfig({
      PORTCULLIS_ADMIN_HOST: '[::]',
      PORTCULLIS_ADMIN_PORT: 'x',
      PORTCULLIS_LOG_LEVEL: 'x',
      PORTCULLIS_DATABASE_URL: 'postgres://post:gres:top@@',
    });
    expect(!result.ok && result.errors.map((error) => error.split(' ')[0])).toEqual([
      'PORTCULLIS_ADMIN_HOST',
      'PORTCULLIS_ADMIN_PORT',
      'PORTCULLIS_DATABASE_URL',
      'PORTCULLIS_SECRET_KEYS',
      'PORTCULLIS_LOG_LEVEL',
    ]);
  });

  it('the help names every setting', () => {
    expect(settingsHelp().match(/PORTCULLIS_[A-Z_]+/g)).toHaveLength(16);
  });
});
