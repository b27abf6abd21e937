import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { gwctlHome } from '../../fake-api.test-support.ts';
import { allRules } from './lint/all-rules.ts';

const petstore = createRequire(import.meta.url).resolve('@readme/oas-examples/3.0/json/petstore.json');
const shop = [
  'openapi: 3.1.0',
  'info: { title: Shop, version: "1" }',
  'servers: [{ url: "http://10.0.0.1/v1" }]',
  'paths:',
  '  /orders/{id}:',
  '    get: { operationId: getOrder }',
  '',
].join('\n');

async function home() {
  const all = await gwctlHome();
  const file = (name: string, text: string): string => {
    writeFileSync(`${all.path}/${name}`, text);
    return name;
  };
  const read = (name: string): string => readFileSync(`${all.path}/${name}`, 'utf8');
  return { ...all, file, read };
}

describe('config convert openapi', () => {
  it('prints a bundle that validate takes, and nothing else, to standard output', async () => {
    await using at = await home();
    const run = await at.run('config', 'convert', 'openapi', petstore);
    expect([run.exitCode, run.stderr]).toEqual([
      0,
      expect.stringMatching(/^warning: .*petstore\.json:68:7: .*\[security\]\n$/),
    ]);
    at.file('pet.yaml', run.stdout);
    expect(await at.run('validate', 'pet.yaml', '--strict')).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: 'valid (16 records)\n',
    });
  });

  it('reads standard input, and writes the file and the form that are asked for', async () => {
    await using at = await home();
    const options = [
      '--output',
      'b.json',
      '--gateway',
      'edge',
      '--tenant-id',
      'acme',
      '--service-name',
      'orders',
      '--url',
      'http://10.0.0.2',
      '--routes-per',
      'operation',
      '--oas-validation',
    ];
    const run = await at.runWithInput(shop, 'config', 'convert', 'openapi', '-', ...options);
    expect(run).toEqual({ exitCode: 0, stdout: '', stderr: 'b.json: 1 services, 1 routes, 1 plugins\n' });
    expect(JSON.parse(at.read('b.json'))).toMatchObject({
      tenant_id: 'acme',
      services: [{ name: 'orders', gateway_name: 'edge', url: 'http://10.0.0.2' }],
      routes: [{ name: 'orders.getOrder', service_name: 'orders', path: '~/orders/(?<id>[^/]+)$' }],
      plugins: [{ name: 'oas_validation', config: { spec: parse(shop) as unknown } }],
    });
    const json = await at.run('config', 'convert', 'openapi', at.file('shop.yaml', shop), '-o', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({ tenant_id: 'default', gateways: [{ name: 'shop' }] });
  });

  it.each([
    ['{"swagger": "2.0"}', [], /^gwctl: d cannot be converted\nd:1:2: \/swagger: Swagger 2\.0 is not read/],
    [
      'openapi: 3.0.0\ninfo: {}\npaths:\n  /a: { $ref: x.yaml }\n',
      [],
      /\nd:4:9: \/paths\/~1a\/\$ref: must begin with #\//,
    ],
    [
      'openapi: 3.0.0\ninfo: {}\npaths:\n  /a: { get: {} }\n',
      [],
      /: is relative: --url says to which address \[server\]\n$/,
    ],
    ['a: [1', [], /^gwctl: d:1:6: YAML rule broken/],
    [shop, ['--url', 'ftp://h'], /^gwctl: --url must be an address of http or https\n$/],
    [shop, ['--routes-per', 'tag'], /Allowed choices are path, operation/],
    [shop, ['--output', 'no/such/folder.yaml'], /^gwctl: no\/such\/folder\.yaml cannot be written \(ENOENT\)\n$/],
  ])('refuses %j %j on standard error alone', async (text, options, message) => {
    await using at = await home();
    const run = await at.run('config', 'convert', 'openapi', at.file('d', text), ...options);
    expect(run).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(message) as string });
  });
});

describe('the tenant of a converted bundle', () => {
  it("is the option's, else the context's", async () => {
    await using at = await home();
    const prod = { api_url: 'http://127.0.0.1:1', token: 'gwadm_1_secret', tenant_id: 'acme' };
    writeFileSync(at.config, JSON.stringify({ current: 'prod', contexts: { prod } }), { mode: 0o600 });
    const tenantOf = async (...args: string[]): Promise<unknown> => {
      const run = await at.runWithInput(shop, 'config', 'convert', 'openapi', '-', '-o', 'json', ...args);
      return (JSON.parse(run.stdout) as { tenant_id: unknown }).tenant_id;
    };
    expect([await tenantOf(), await tenantOf('--tenant-id', 'other')]).toEqual(['acme', 'other']);
  });
});

describe('config merge', () => {
  const base = 'tenant_id: acme\ngateways:\n  - name: g\n';
  const routes = 'routes:\n  - { name: r, gateway_name: g, path: /r }\n';

  it('puts files together', async () => {
    await using at = await home();
    const run = await at.run('config', 'merge', at.file('a.yaml', base), at.file('b.yaml', routes));
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(parse(run.stdout)).toEqual({
      tenant_id: 'acme',
      gateways: [{ name: 'g' }],
      routes: [{ name: 'r', gateway_name: 'g', path: '/r' }],
    });
  });

  it('writes a file that only its owner reads, in the form of its suffix, and tells a program what it wrote', async () => {
    await using at = await home();
    at.file('a.yaml', base);
    const run = await at.run('config', 'merge', 'a.yaml', '--output', 'all.yaml', '-o', 'json');
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const bytes = statSync(`${at.path}/all.yaml`).size;
    expect(JSON.parse(run.stdout)).toEqual({ file: 'all.yaml', format: 'yaml', bytes, counts: { gateways: 1 } });
    expect(parse(at.read('all.yaml'))).toEqual({ tenant_id: 'acme', gateways: [{ name: 'g' }] });
    expect(statSync(`${at.path}/all.yaml`).mode & 0o077).toBe(0);
    mkdirSync(`${at.path}/out`);
    const inFolder = await at.run('config', 'merge', 'a.yaml', '--output', 'out', '--format', 'json');
    expect(inFolder).toEqual({ exitCode: 0, stdout: '', stderr: 'out/acme.json: 1 gateways\n' });
    expect(JSON.parse(at.read('out/acme.json'))).toEqual({ tenant_id: 'acme', gateways: [{ name: 'g' }] });
  });

  it('names both places of what two files say differently', async () => {
    await using at = await home();
    const files = [at.file('a.yaml', base + routes), at.file('b.yaml', routes)];
    const twice = await at.run('config', 'merge', ...files);
    expect(twice).toMatchObject({ exitCode: 1, stdout: '' });
    expect(twice.stderr).toMatch(
      /^gwctl: the files contradict each other\nb\.yaml:2:\d+: .*a\.yaml:5:5 \[duplicate\]\n$/,
    );
    const tenants = await at.run('config', 'merge', 'a.yaml', at.file('c.yaml', 'tenant_id: other\n'));
    expect(tenants).toMatchObject({ exitCode: 1, stdout: '' });
    expect(tenants.stderr).toMatch(/c\.yaml:1:\d+: tenant_id is other, but a\.yaml:1:\d+ has acme/);
  });
});

describe('config lint', () => {
  const bundle = [
    'tenant_id: acme',
    'gateways: [{ name: g }]',
    'services:',
    '  - { name: s, gateway_name: g, url: "http://api.example.com", tls_verify: false }',
    'routes:',
    '  - { name: r, gateway_name: g, path: /r, service_name: s, plugins: [{ name: oidc }] }',
    '',
  ].join('\n');

  it('says what is unwise and where, and fails from a severity on', async () => {
    await using at = await home();
    const run = await at.run('config', 'lint', at.file('b.yaml', bundle));
    expect(run).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: [
        'b.yaml:4:38: warning /services/0/url (s): goes over the internet without TLS [public-http]',
        'b.yaml:4:76: warning /services/0/tls_verify (s): any certificate is taken for the right one [tls-not-verified]',
        '0 error, 2 warning, 0 info',
        '',
      ].join('\n'),
    });
    expect((await at.run('config', 'lint', 'b.yaml', '--fail-severity', 'warning')).exitCode).toBe(1);
    expect((await at.run('config', 'lint', 'b.yaml', '--fail-severity', 'error')).exitCode).toBe(0);
  });

  it('prints a document, or annotations, of several files', async () => {
    await using at = await home();
    const [services, routes] = [bundle.split('routes:')[0] ?? '', `routes:${bundle.split('routes:')[1] ?? ''}`];
    const files = [at.file('a.yaml', services), at.file('b,1.yaml', routes.replace('/r,', '"~/r",'))];
    const json = await at.run('config', 'lint', ...files, '-o', 'json');
    const document = JSON.parse(json.stdout) as { findings: readonly Record<string, unknown>[]; counts: unknown };
    expect(document.counts).toEqual({ info: 0, warning: 3, error: 0 });
    expect(document.findings.map(({ rule, place }) => [rule, place])).toEqual([
      ['expression-unanchored', expect.stringMatching(/^b,1\.yaml:2:\d+$/)],
      ['public-http', expect.stringMatching(/^a\.yaml:4:38$/)],
      ['tls-not-verified', expect.stringMatching(/^a\.yaml:4:76$/)],
    ]);
    const github = await at.run('config', 'lint', ...files, '--github');
    expect(github.stdout.split('\n')).toEqual([
      expect.stringMatching(
        /^::warning file=b%2C1\.yaml,line=2,col=\d+,title=expression-unanchored::\/routes\/0\/path: takes whatever/,
      ),
      expect.stringMatching(/^::warning file=a\.yaml,line=4,col=38,title=public-http::\/services\/0\/url: /),
      expect.stringMatching(/^::warning file=a\.yaml,line=4,col=76,title=tls-not-verified::/),
      '',
    ]);
  });

  it('takes severities from a file, and lists the rules with them', async () => {
    await using at = await home();
    at.file('b.yaml', bundle);
    const rules = at.file('rules.yaml', 'rules: { public-http: error, tls-not-verified: off }\n');
    const run = await at.run('config', 'lint', 'b.yaml', '--rules', rules);
    expect(run.exitCode).toBe(1);
    expect(run.stdout.split('\n').slice(1)).toEqual(['1 error, 0 warning, 0 info', '']);
    const list = await at.run('config', 'lint', '--list-rules', '--rules', rules, '-o', 'yaml');
    const listed = (parse(list.stdout) as { rules: readonly { id: string; severity: string }[] }).rules;
    expect(listed.map(({ id }) => id)).toEqual(allRules.map(({ id }) => id));
    expect(listed.find(({ id }) => id === 'tls-not-verified')?.severity).toBe('off');
  });

  it.each([
    [
      ['b.yaml', '--rules', 'x.yaml'],
      'rules: { no-such-rule: error }',
      'gwctl: x.yaml: /rules/no-such-rule is no rule (gwctl config lint --list-rules)\n',
    ],
    [
      ['b.yaml', '--rules', 'x.yaml'],
      'rules: { disabled: fatal }',
      'gwctl: x.yaml: /rules/disabled must be one of info, warning, error, off\n',
    ],
    [['b.yaml', '--rules', 'x.yaml'], 'ignore: []', 'gwctl: x.yaml: /ignore is not known: only rules is\n'],
    [['b.yaml', '--rules', 'x.yaml'], '{}', 'gwctl: x.yaml: /rules must hold rules and their severities\n'],
    [
      ['x.yaml'],
      'tenant_id: acme\ngateways: [{}]',
      'gwctl: x.yaml is not valid: gwctl validate lists what is wrong\nx.yaml:2:12: /gateways/0/name: is required [required]\n',
    ],
    [[], '', 'gwctl: give the files or folders to look at (- is standard input)\n'],
  ])('refuses %j with %j', async (args, text, stderr) => {
    await using at = await home();
    at.file('b.yaml', bundle);
    at.file('x.yaml', text);
    expect(await at.run('config', 'lint', ...args)).toEqual({ exitCode: 1, stdout: '', stderr });
  });
});
