import { constants, createHash, privateEncrypt } from 'node:crypto';
import { noConsumers, type ConsumerDirectory } from '@portcullis/plugin-runtime';
import { makeCertificate } from '@portcullis/testkit/certificates';
import { describe, expect, it } from 'vitest';
import { jwtAuth } from '../../jwt_auth/index.ts';
import { oidc } from '../../oidc/index.ts';
import { PluginBench, problemOf } from '../../testing/plugin-bench.ts';
import { encoded, makeKey, makeToken } from '../../testing/tokens.ts';

/*
 * Forged tokens against both plugins that verify them: the issuer's key is RSA, and the client knows its public half in every form.
 * Source: RFC 8725, section 2; CVE-2015-9235, CVE-2016-5431, CVE-2018-0114, CVE-2022-21449, CVE-2022-23529.
 */

const NOW = Date.UTC(2026, 0, 1) / 1000;
const rsa = makeKey('rsa');
const ec = makeKey('p256');
const attacker = makeKey('rsa');
const attackerEc = makeKey('p256');
const certificate = makeCertificate({ key: attackerEc.privateKey });

const header = { alg: 'RS256', kid: 'r', typ: 'JWT' };
const claims = { iss: 'issuer', sub: 'u1', aud: 'api', exp: NOW + 600 };
const good = makeToken(header, claims, rsa.privateKey, 'RS256');
const [head = '', body = '', signature = ''] = good.split('.');

const ecClaims = { ...claims, iss: 'ec-issuer' };
const ecHeader = { alg: 'ES256', kid: 'p' };
const ecGood = makeToken(ecHeader, ecClaims, ec.privateKey, 'ES256');
const ecToken = (bytes: Uint8Array, algorithm = 'ES256'): string =>
  `${encoded({ ...ecHeader, alg: algorithm })}.${encoded(ecClaims)}.${Buffer.from(bytes).toString('base64url')}`;

const credential = (algorithm: string, publicKey: string) => ({
  match: { consumer: { id: 'c1', groups: [] } },
  algorithm,
  publicKey,
});
const credentials = new Map([
  ['issuer', credential('RS256', rsa.pem)],
  ['ec-issuer', credential('ES256', ec.pem)],
]);
const consumers: ConsumerDirectory = { ...noConsumers, findJwt: (name) => credentials.get(name) };

const benches = {
  oidc: new PluginBench(oidc, {
    audience: 'api',
    public_key: JSON.stringify({
      keys: [
        { ...rsa.jwk, kid: 'r' },
        { ...ec.jwk, kid: 'p' },
      ],
    }),
  }),
  'oidc with PEM': new PluginBench(oidc, { audience: 'api', public_key: `${rsa.pem}${ec.pem}` }),
  jwt_auth: new PluginBench(jwtAuth, { audience: ['api'] }),
};

const withHmac = (algorithm: string, secret: string, more = {}) =>
  makeToken({ ...header, alg: algorithm, ...more }, claims, secret, algorithm);
const signedByAttacker = (more: Readonly<Record<string, unknown>>) =>
  makeToken({ ...header, ...more }, claims, attacker.privateKey, 'RS256');
const unsigned = (alg: unknown) => `${encoded({ ...header, alg })}.${encoded(claims)}`;
const der = rsa.publicKey.export({ type: 'spki', format: 'der' });
const half = 32;
const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
const ecSignature = Buffer.from(ecGood.split('.')[2] ?? '', 'base64url');

const digest = createHash('sha256').update(`${head}.${body}`).digest();
const digestInfo = Buffer.concat([Buffer.from('3031300d060960864801650304020105000420', 'hex'), digest]);

/** A block of PKCS #1, 1.5, around some bytes, as it is before it is raised to the power. Source: RFC 8017, section 9.2. */
function block(inside: Buffer, { type = 1, fill = 0xff, behind = 0 } = {}): Buffer {
  const filling = Buffer.alloc(256 - 3 - inside.length - behind, fill);
  return Buffer.concat([Buffer.of(0, type), filling, Buffer.of(0), inside, Buffer.alloc(behind, 0x41)]);
}

/** The claims, with a signature that holds such a block: what a key says that is made to sign something else. */
function withBlock(bytes: Buffer): string {
  const signed = privateEncrypt({ key: rsa.privateKey, padding: constants.RSA_NO_PADDING }, bytes);
  return `${head}.${body}.${signed.toString('base64url')}`;
}

const blocks: readonly (readonly [string, Buffer])[] = [
  ['of the type for encrypting', block(digestInfo, { type: 2 })],
  ['of the type without filling', block(digestInfo, { type: 0, fill: 0 })],
  ['filled with zeros', block(digestInfo, { fill: 0 })],
  ['filled with something else', block(digestInfo, { fill: 0xfe })],
  ['with bytes behind the digest', block(digestInfo, { behind: 100 })],
  ['with one byte behind the digest', block(digestInfo, { behind: 1 })],
  ['of the digest alone', block(digest)],
  ['without the parameters', block(Buffer.concat([Buffer.from('302f300b06096086480165030402010420', 'hex'), digest]))],
  [
    'with lengths in the long form',
    block(Buffer.concat([Buffer.from('308131300d060960864801650304020105000420', 'hex'), digest])),
  ],
  [
    'that names another digest',
    block(Buffer.concat([Buffer.from('3031300d060960864801650304020305000420', 'hex'), digest])),
  ],
  ['of another digest', block(Buffer.concat([digestInfo.subarray(0, -32), Buffer.alloc(32)]))],
];

const forged: readonly (readonly [string, string])[] = [
  ...blocks.map(([name, bytes]): [string, string] => [`a block ${name}`, withBlock(bytes)]),
  ...['none', 'None', 'NONE', 'nOnE', 'NoNe', 'none ', '', 'null', 'RS256,none'].flatMap((alg): [string, string][] => [
    [`alg ${alg} without a signature`, `${unsigned(alg)}.`],
    [`alg ${alg} with the signature of another`, `${unsigned(alg)}.${signature}`],
  ]),
  ...['HS256', 'HS384', 'HS512'].flatMap((alg): [string, string][] => [
    [`${alg} with the PEM text as secret`, withHmac(alg, rsa.pem)],
    [`${alg} with the PEM text without its end of line`, withHmac(alg, rsa.pem.trim())],
    [`${alg} with the key's bytes as secret`, withHmac(alg, der.toString('latin1'))],
    [`${alg} with the JWK as secret`, withHmac(alg, JSON.stringify(rsa.jwk))],
    [`${alg} with the modulus as secret`, withHmac(alg, String(rsa.jwk['n']))],
    [`${alg} with an empty secret`, withHmac(alg, '')],
    [`${alg} with the secret of an empty kid file`, withHmac(alg, '', { kid: '../../dev/null' })],
  ]),
  ['RS256 in name, HMAC in truth', makeToken(header, claims, rsa.pem, 'HS256')],
  ['ES256 in name, HMAC in truth', makeToken(ecHeader, ecClaims, ec.pem, 'HS256')],
  ['lower case rs256', makeToken({ ...header, alg: 'rs256' }, claims, rsa.privateKey, 'RS256')],
  ['an algorithm with a line break', makeToken({ ...header, alg: 'RS256\n' }, claims, rsa.privateKey, 'RS256')],
  [
    "RS256 of the right key, said to be the other key's",
    makeToken({ ...header, alg: 'ES256', kid: 'p' }, ecClaims, rsa.privateKey, 'RS256'),
  ],
  ['RSA with SHA-1', makeToken({ ...header, alg: 'RS1' }, claims, rsa.privateKey, 'RS1')],
  ["another's key", signedByAttacker({})],
  ["another's key with a kid that names none", signedByAttacker({ kid: 'none' })],
  ["another's key without kid", signedByAttacker({ kid: undefined })],
  ["another's key on the right curve", makeToken(ecHeader, ecClaims, attackerEc.privateKey, 'ES256')],
  ['a key of its own as jwk', signedByAttacker({ jwk: attacker.jwk })],
  [
    'a key of its own as jwk with the known kid',
    signedByAttacker({ jwk: { ...attacker.jwk, kid: 'r', alg: 'RS256' } }),
  ],
  ['an address of its own keys', signedByAttacker({ jku: 'https://attacker.test/jwks.json' })],
  ['an address of its own certificate', signedByAttacker({ x5u: 'https://attacker.test/cert.pem' })],
  [
    'a certificate of its own',
    makeToken(
      { ...ecHeader, x5c: [Buffer.from(certificate.der).toString('base64')] },
      ecClaims,
      attackerEc.privateKey,
      'ES256',
    ),
  ],
  [
    'keys of its own in the claims',
    makeToken(header, { ...claims, jwk: attacker.jwk, cnf: { jwk: attacker.jwk } }, attacker.privateKey, 'RS256'),
  ],
  ['a kid that is a path', signedByAttacker({ kid: '../../../../dev/null' })],
  ['a kid that is SQL', signedByAttacker({ kid: "x'UNION/**/SELECT/**/'key';--" })],
  ['a kid that is a command', signedByAttacker({ kid: 'r|/bin/sleep' })],
  ['a kid of every object', signedByAttacker({ kid: '__proto__' })],
  ['crit that names what nobody knows', makeToken({ ...header, crit: ['x'], x: 1 }, claims, rsa.privateKey, 'RS256')],
  ['crit that is empty', makeToken({ ...header, crit: [] }, claims, rsa.privateKey, 'RS256')],
  ['an unencoded payload', makeToken({ ...header, crit: ['b64'], b64: false }, claims, rsa.privateKey, 'RS256')],
  ['alg twice', makeToken('{"alg":"RS256","kid":"r","alg":"RS256"}', claims, rsa.privateKey, 'RS256')],
  [
    'sub twice',
    makeToken(header, `{"iss":"issuer","aud":"api","sub":"a","sub":"b","exp":${NOW + 600}}`, rsa.privateKey, 'RS256'),
  ],
  ['claims that are no JSON', makeToken(header, 'sub=u1', rsa.privateKey, 'RS256')],
  ['claims with a byte order mark', makeToken(header, `\ufeff${JSON.stringify(claims)}`, rsa.privateKey, 'RS256')],
  ['other claims', `${head}.${encoded({ ...claims, sub: 'admin' })}.${signature}`],
  ['another header', `${encoded({ ...header, typ: 'at+jwt' })}.${body}.${signature}`],
  ['the signature of nothing', `${head}.${body}.${Buffer.alloc(256).toString('base64url')}`],
  ['a signature of ones', `${head}.${body}.${Buffer.alloc(256, 0xff).toString('base64url')}`],
  ['a signature that is cut', `${head}.${body}.${signature.slice(0, -4)}`],
  ['a signature with more behind it', `${head}.${body}.${signature.slice(0, -2)}AAAA`],
  ['r and s of 0', ecToken(Buffer.alloc(2 * half))],
  ['r of 0', ecToken(Buffer.concat([Buffer.alloc(half), ecSignature.subarray(half)]))],
  ['s of 0', ecToken(Buffer.concat([ecSignature.subarray(0, half), Buffer.alloc(half)]))],
  ['r and s of the order', ecToken(Buffer.concat([order, order]))],
  [
    'r and s of 1',
    ecToken(Buffer.concat([Buffer.alloc(half - 1), Buffer.of(1), Buffer.alloc(half - 1), Buffer.of(1)])),
  ],
  ['zeros in DER', ecToken(Buffer.from('3006020100020100', 'hex'))],
  ['nothing but zero for P-384', ecToken(Buffer.alloc(96), 'ES384')],
  [
    'a curve that the key is not on',
    makeToken({ ...ecHeader, alg: 'ES384' }, ecClaims, makeKey('p384').privateKey, 'ES384'),
  ],
  ['an encrypted token', `${good}.${signature}.${signature}`],
  ['a token within a token', makeToken({ ...header, cty: 'JWT' }, good, rsa.privateKey, 'RS256')],
  ['padding', `${head}.${body}.${signature}==`],
  [
    'an audience within a list within the list',
    makeToken(header, { ...claims, aud: [['api']] }, rsa.privateKey, 'RS256'),
  ],
  ['no exp', makeToken(header, { ...claims, exp: undefined }, rsa.privateKey, 'RS256')],
  ['an exp that never comes', makeToken(header, '{"iss":"issuer","aud":"api","exp":1e400}', rsa.privateKey, 'RS256')],
];

describe.each(Object.entries(benches))('%s', (_plugin, bench) => {
  const ask = async (token: string) => bench.request({ headers: ['authorization', `Bearer ${token}`], consumers });

  it('lets the real tokens pass from which the forged ones are made', async () => {
    expect([(await ask(good)).result, (await ask(ecGood)).result]).toEqual(['continue', 'continue']);
    expect(withBlock(block(digestInfo))).toBe(good);
  });

  it.each(forged)('refuses %s', async (_name, token) => {
    // Twice: what was refused must not be remembered as good.
    for (let turn = 0; turn < 2; turn += 1) {
      const { result, exchange } = await ask(token);
      expect([result, exchange.response.status]).toEqual(['respond', 401]);
      expect(problemOf(exchange)).toMatchObject({
        code: 'unauthenticated',
        detail: 'the token in Authorization is not valid',
      });
      expect(exchange.response.headers.get('www-authenticate')).toBe('Bearer realm="api", error="invalid_token"');
      expect(exchange.consumer).toBeUndefined();
    }
  });

  it.each([
    ['in their order', forged],
    ['the other way round', forged.toReversed()],
  ])(
    'refuses all of them at once, %s, and lets as many real ones pass: in threads or on the spot, and none for want of room',
    async (_name, tokens) => {
      const real = tokens.map((_token, index) =>
        makeToken(ecHeader, { ...ecClaims, jti: index }, ec.privateKey, 'ES256'),
      );
      const outcomes = await Promise.all(
        [...real, ...tokens.map(([, token]) => token)].map(async (token) => (await ask(token)).result),
      );
      expect(outcomes).toEqual([...real.map(() => 'continue'), ...tokens.map(() => 'respond')]);
    },
  );

  it('refuses every token of which one bit is another', async () => {
    const bytes = Buffer.from(ecGood, 'latin1');
    const outcomes: string[] = [];
    for (let at = 0; at < bytes.length; at += 1) {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ 1;
      const { result, exchange } = await ask(altered.toString('latin1'));
      outcomes.push(`${result} ${exchange.response.status}`);
    }
    expect(new Set(outcomes)).toEqual(new Set(['respond 401']));
  });
});
