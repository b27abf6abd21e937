import { readFileSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '@portcullis/testkit';
import { announcement } from './announce.mjs';
import { adminEnvironment, gatewayEnvironment } from './child-environment.mjs';
import { reasonInLog } from './child.mjs';
import { claimPorts } from './ports.mjs';
import { sampleForPort, sampleKey, samplePortOf } from './sample.mjs';
import { keptSecretKeys } from './secret-keys.mjs';
import { localUrl, readSettings } from './settings.mjs';
import { readState, writeState } from './state-file.mjs';

const bundle = readFileSync(fileURLToPath(new URL('../../../../examples/quickstart.yaml', import.meta.url)), 'utf8');
const settings = readSettings({}, '/r');

describe('readSettings', () => {
  it('has the fixed defaults', () => {
    expect(settings).toMatchObject({
      dataDir: '/r/.portcullis',
      databaseUrl: 'sqlite:/r/.portcullis/portcullis.db',
      databaseFile: '/r/.portcullis/portcullis.db',
      adminHost: '127.0.0.1',
      adminPort: 8001,
      proxyHost: '127.0.0.1',
      proxyPort: 8000,
      proxyTlsPort: 8443,
      statusPort: 8100,
      sample: true,
      adminUsername: 'admin',
      allowPrivateAddresses: '127.0.0.0/8,::1/128',
    });
  });

  it('takes every setting from the environment, and an empty one as unset', () => {
    const env = {
      PORTCULLIS_DATA_DIR: 'd',
      PORTCULLIS_DATABASE_URL: 'postgres://h/db',
      PORTCULLIS_ADMIN_PORT: '0',
      PORTCULLIS_PROXY_PORT: '',
    };
    expect(readSettings(env, '/r')).toMatchObject({
      dataDir: '/r/d',
      databaseFile: null,
      adminPort: 0,
      proxyPort: 8000,
    });
  });

  it.each(['65536', '-1', '8000x', '8e3', ' 80'])('refuses the port %j and names the variable', (value) => {
    expect(() => readSettings({ PORTCULLIS_STATUS_PORT: value }, '/r')).toThrow(
      /^PORTCULLIS_STATUS_PORT must be .*\.$/,
    );
  });

  it.each([
    ['0.0.0.0', 'http://127.0.0.1:1'],
    ['::', 'http://[::1]:1'],
    ['::1', 'http://[::1]:1'],
    ['box.test', 'http://box.test:1'],
  ])('reaches a listener on %s at %s', (host, url) => {
    expect(localUrl(host, 1)).toBe(url);
  });
});

describe('sample', () => {
  it('moves the upstream and nothing else', () => {
    const moved = sampleForPort(bundle, 9123);
    expect(moved).toContain('url: http://127.0.0.1:9123\n');
    expect(moved.replaceAll('127.0.0.1:9123', '127.0.0.1:8002')).toBe(bundle);
    expect(sampleForPort('url: http://127.0.0.1:80021\nurl: http://127.0.0.1:8002', 1)).toBe(
      'url: http://127.0.0.1:80021\nurl: http://127.0.0.1:1',
    );
  });

  it('says so when the bundle names another upstream', () => {
    expect(() => sampleForPort('url: http://elsewhere', 1)).toThrow(/does not name http:\/\/127\.0\.0\.1:8002/);
  });

  it('finds the key of the sample', () => {
    expect(sampleKey(bundle)).toMatch(/^demo-key-\w+$/);
    expect(() => sampleKey('key_id: x')).toThrow(/no credential/);
  });

  it.each<[number | null, number | null | undefined, number]>([
    [null, undefined, 8002],
    [0, undefined, 0],
    [9000, undefined, 9000],
    [null, 9000, 9000],
    [0, 9000, 9000],
    [9000, 9000, 9000],
  ])('wanted %j and kept %j give port %d', (wanted, kept, port) => {
    expect(samplePortOf(wanted, kept)).toBe(port);
  });
});

describe('state file', () => {
  it('comes back as written, readable by its owner only', async () => {
    await using folder = await temporaryFolder();
    const state = { ...readState(folder.path, 'sqlite:x', true), tenant: true };
    writeState(folder.path, state);
    expect(readState(folder.path, 'sqlite:x', false)).toEqual(state);
    expect((await stat(folder.join('start-state.json'))).mode & 0o777).toBe(0o600);
  });

  it('holds for its own database only, and not for one that is new', async () => {
    await using folder = await temporaryFolder();
    writeState(folder.path, {
      ...readState(folder.path, 'postgres://u:p@h/db', false),
      signedIn: true,
      dataPlane: true,
    });
    expect(readFileSync(folder.join('start-state.json'), 'utf8')).not.toContain('u:p');
    expect(readState(folder.path, 'postgres://u:other@h/db', false).dataPlane).toBe(true);
    expect(readState(folder.path, 'postgres://h/db2', false).dataPlane).toBeUndefined();
    expect(readState(folder.path, 'postgres://h/db', true).dataPlane).toBeUndefined();
  });

  it('keeps a generated password that no administrator has yet', async () => {
    await using folder = await temporaryFolder();
    writeState(folder.path, { ...readState(folder.path, 'sqlite:x', true), adminPassword: 'p' });
    expect(readState(folder.path, 'sqlite:x', true).adminPassword).toBe('p');
  });

  it('says so in one sentence when the file is damaged', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.join('start-state.json'), '{"version": 1, "data');
    expect(() => readState(folder.path, 'sqlite:x', false)).toThrow(/is damaged: .*\.$/);
  });
});

describe('keptSecretKeys', () => {
  it('makes one key and keeps it', async () => {
    await using folder = await temporaryFolder();
    const made = keptSecretKeys(folder.path);
    expect(Buffer.from(made.split(':')[1] ?? '', 'base64')).toHaveLength(32);
    expect(keptSecretKeys(folder.path)).toBe(made);
  });
});

describe('claimPorts', () => {
  it('gives distinct free ports to those who want any', async () => {
    const any = { name: 'x', host: '127.0.0.1', port: 0, variable: 'X' };
    const ports = await claimPorts({ a: any, b: any, c: any });
    expect(new Set(Object.values(ports)).size).toBe(3);
  });

  it('reports two listeners that want the same port', async () => {
    const { a } = await claimPorts({ a: { name: 'x', host: '127.0.0.1', port: 0, variable: 'X' } });
    const same = { host: '127.0.0.1', port: a };
    const claiming = claimPorts({
      one: { ...same, name: 'one', variable: 'ONE' },
      two: { ...same, name: 'two', variable: 'TWO' },
    });
    await expect(claiming).rejects.toThrow(
      /^Port \d+ on 127\.0\.0\.1 is in use, and two needs it: .* set TWO to another port/,
    );
  });

  it('names the setting when the host is not one of this machine', async () => {
    const claiming = claimPorts({
      a: { name: 'the gateway', host: '192.0.2.1', port: 0, variable: 'PORTCULLIS_PROXY_PORT' },
    });
    await expect(claiming).rejects.toThrow(/^The gateway cannot listen on 192\.0\.2\.1 .*PORTCULLIS_PROXY_PORT/);
  });
});

describe('reasonInLog', () => {
  it.each([
    ['{"msg":"one"}\n{"level":60,"msg":"cannot open","err":{"message":"disk full"}}\n', 'cannot open: disk full'],
    ['{"msg":"one"}\nError: no such table.\n    at x (y:1:2)\n\nNode.js v24.0.0\n', 'Error: no such table'],
    [
      "x.js:1\nthrow y\n^\n\nError [ERR_X]: no module 'z'\n    at x (y:1:2) {\n  code: 'ERR_X',\n  url: 'file:'\n}\n\nNode.js v24.0.0\n",
      "Error [ERR_X]: no module 'z'",
    ],
    ['PORTCULLIS_X must be a port.\n', 'PORTCULLIS_X must be a port'],
    ['{"level":"error","msg":"could not stop"}\n', 'could not stop'],
    ['{"level":50,"msg":"one"}\n{"level":30,"msg":"serving a new configuration"}\n', undefined],
    ['{"level":40,"msg":"no connection"}\n', undefined],
    ['{"level":"info","msg":"answered"}\n', undefined],
    [
      '{"level":30,"msg":"x"}\n<--- JS stacktrace --->\nFATAL ERROR: Reached heap limit - heap out of memory\n 1: 0xb7\n',
      'FATAL ERROR: Reached heap limit - heap out of memory',
    ],
    ['', 'it logged nothing'],
  ])('puts the end of %j into words', async (log, words) => {
    await using folder = await temporaryFolder();
    await writeFile(folder.join('x.log'), log);
    expect(reasonInLog(folder.join('x.log'))).toBe(words);
  });
});

describe('the environments of the children', () => {
  const env = {
    PATH: 'p',
    PORTCULLIS_ADMIN_PASSWORD: 'pw',
    PORTCULLIS_SECRET_KEYS: 'k',
    PORTCULLIS_DATA_PLANE_TOKEN: 't',
    PORTCULLIS_WORKERS: '2',
  };
  const ports = { admin: 1, proxy: 2, proxyTls: 4, status: 3 };

  it('gives the password to the control plane on the first start only', () => {
    expect(
      adminEnvironment(env, settings, { port: 1, secretKeys: 'k', password: 'new' })['PORTCULLIS_ADMIN_PASSWORD'],
    ).toBe('new');
    const later = adminEnvironment(env, settings, { port: 1, secretKeys: 'k', password: null });
    expect(later).not.toHaveProperty('PORTCULLIS_ADMIN_PASSWORD');
    expect(later).not.toHaveProperty('PORTCULLIS_DATA_PLANE_TOKEN');
  });

  it('gives the gateway its token, what the user set, and no secret of the control plane', () => {
    const given = gatewayEnvironment(env, settings, { ports, token: 'gwdp_x' });
    expect(given).toMatchObject({
      PATH: 'p',
      PORTCULLIS_WORKERS: '2',
      PORTCULLIS_DATA_PLANE_TOKEN: 'gwdp_x',
      PORTCULLIS_CONTROL_PLANE_URL: 'http://127.0.0.1:1',
    });
    expect(Object.keys(given).filter((name) => /PASSWORD|SECRET_KEYS/.test(name))).toEqual([]);
  });
});

describe('announcement', () => {
  it.each(['demo-key', null])('has three lines to copy and the real ports (sample key %j)', (key) => {
    const lines = announcement({
      settings,
      ports: { admin: 11, proxy: 12, proxyTls: 14, status: 13 },
      sampleKey: key,
      password: 'pw',
      logs: 'l',
    });
    expect(lines.filter((line) => line.startsWith('curl'))).toHaveLength(3);
    expect(lines.join('\n')).toMatch(/http:\/\/127\.0\.0\.1:12\b[^]*http:\/\/127\.0\.0\.1:11\b/);
    expect(lines.filter((line) => line.endsWith(' pw'))).toHaveLength(1);
  });
});
