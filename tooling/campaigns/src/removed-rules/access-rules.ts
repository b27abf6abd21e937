import { edit, type Rule } from './rule.ts';

/** Of the page's table of rules that hold everywhere, those of who may do what, and of secrets; in its order. */
export const accessRules: readonly Rule[] = [
  {
    test: 'apps/admin-api/src/isolation/access-matrix.test.ts',
    title: 'answers everyone as the requirement says, under every prefix',
    edits: [
      edit(
        'apps/admin-api/src/http/access.ts',
        'return roleAccess[principal.role].has(operation.access);',
        "return operation.access !== 'data_plane';",
      ),
    ],
  },
  {
    test: 'apps/admin-api/src/isolation/foreign-records.test.ts',
    title: 'are one and the same as what a body refers to, by ID and by name',
    edits: [
      edit(
        'apps/admin-api/src/store/create-resource-store.ts',
        ".where('tenant_id', '=', tenantId)\n    .where('family', '=', family)\n    .where('id', '=', id)",
        ".where('family', '=', family)\n    .where('id', '=', id)",
      ),
    ],
  },
  {
    test: 'apps/admin-api/src/isolation/mass-assignment.test.ts',
    title: 'cannot be changed, and what is written fixed stays so',
    edits: [
      edit('apps/admin-api/src/resources/references.ts', 'immutable === true &&', 'immutable === null &&'),
      edit('apps/admin-api/src/resources/record-input.ts', 'if (name in family.fields) continue;', 'continue;'),
    ],
  },
  {
    test: 'apps/admin-api/src/http/http-app.test.ts',
    title: 'a parameter given twice',
    edits: [edit('apps/admin-api/src/http/query-input.ts', 'values.length > 1 &&', "name === '' &&")],
  },
  {
    test: 'apps/admin-api/src/identity/authenticator.test.ts',
    title: 'HS256 over the public key',
    edits: [edit('apps/admin-api/src/identity/access-tokens.ts', 'algorithms: [signingAlgorithm],', '')],
  },
  {
    test: 'apps/admin-api/src/identity/authenticator.test.ts',
    title: '%s is 401',
    only: 'another (type|audience|issuer) is 401',
    edits: [
      edit(
        'apps/admin-api/src/identity/access-tokens.ts',
        'issuer,\n          audience,\n          typ: tokenType,',
        '',
      ),
    ],
  },
  {
    test: 'packages/plugins/src/jwt_auth/index.test.ts',
    title: 'refuses a token with %s',
    edits: [
      edit(
        'packages/plugins/src/jwt_auth/token-verifier.ts',
        '!key.algorithms.includes(token.algorithm)',
        "keyName === ''",
      ),
      edit(
        'packages/plugins/src/shared/jwt/verify-signature.ts',
        '({ algorithms }) => algorithms.includes(algorithm)',
        '() => true',
      ),
    ],
  },
  {
    test: 'packages/plugins/src/shared/jwt/attacks.test.ts',
    title: 'refuses every token of which one bit is another',
    edits: [
      edit(
        'packages/plugins/src/shared/jwt/verify-signature.ts',
        'if (await isSignedWith(text, candidate.key, algorithm)) return',
        'return',
      ),
    ],
  },
  {
    test: 'apps/admin-api/src/identity/authenticator.test.ts',
    title: 'an unknown kid',
    // A key that is not known is the first one.
    edits: [
      edit(
        'apps/admin-api/src/identity/signing-keys.ts',
        'readWithin(signingKeyTimes.rereadForUnknownMs)).public.get(kid)',
        'current()).public.values().next().value',
      ),
    ],
  },
  {
    test: 'apps/admin-api/src/identity/authenticator.test.ts',
    title: 'a mistyped one is refused without a query',
    edits: [
      edit(
        'apps/admin-api/src/identity/opaque-token.ts',
        'checksumOf(text.slice(0, -checksumLength)) !== match[4]',
        "match[4] === ''",
      ),
    ],
  },
  {
    test: 'apps/admin-api/src/identity/key-rotation.test.ts',
    title: 'revokes at once what it supersedes',
    edits: [edit('apps/admin-api/src/identity/rotate-signing-keys.ts', 'revokePrevious ? over : over', 'over')],
  },
  {
    test: 'apps/admin-api/src/identity/login.test.ts',
    title: 'a deleted user is out within 5 s',
    edits: [edit('apps/admin-api/src/identity/timed-cache.ts', 'entry && entry.untilMs > monotonicMs()', 'entry')],
  },
  {
    test: 'apps/admin-api/src/identity/password.test.ts',
    title: 'depend on every character of a long password',
    edits: [
      edit(
        'apps/admin-api/src/identity/password-hasher.ts',
        "Buffer.from(password, 'utf8')",
        "Buffer.from(password, 'utf8').subarray(0, 72)",
      ),
    ],
  },
  {
    test: 'apps/admin-api/src/identity/password.test.ts',
    title: 'are salted Argon2id at the floor cost or above, and match their password only',
    edits: [edit('apps/admin-api/src/identity/password-hasher.ts', 'memoryKib: 19_456', 'memoryKib: 8_192')],
  },
  {
    test: 'apps/admin-api/src/identity/password.test.ts',
    title: 'are refused beyond what may wait, and the queue recovers',
    edits: [
      edit('apps/admin-api/src/identity/password-hasher.ts', 'waitingPerPartyMax: 32', 'waitingPerPartyMax: 256'),
    ],
  },
  {
    test: 'apps/admin-api/src/identity/password.test.ts',
    title: 'PASSWORD123',
    edits: [edit('apps/admin-api/src/identity/password-rules.ts', 'isGuessable(password) ?', "password === '' ?")],
  },
  {
    test: 'apps/admin-api/src/identity/login.test.ts',
    title: 'no table holds a refresh token or a password',
    edits: [
      edit('apps/admin-api/src/identity/opaque-token.ts', "secretHash: hash('sha256', secret)", 'secretHash: secret'),
    ],
  },
  {
    test: 'packages/plugins/src/api_key_auth/key-table.test.ts',
    title: 'finds keys by their digests and keeps none of them',
    edits: [
      edit('packages/plugins/src/api_key_auth/key-table.ts', "hash('sha256', key)", 'key'),
      edit('packages/plugins/src/api_key_auth/key-table.ts', "hash('sha256', presented)", 'presented'),
    ],
  },
  {
    test: 'packages/plugins/src/session_cookie_auth/session-table.test.ts',
    title: 'finds sessions by the digests of their IDs and keeps no ID',
    edits: [edit('packages/plugins/src/session_cookie_auth/session-table.ts', "hash('sha256', id)", 'id')],
  },
  {
    test: 'apps/admin-api/src/identity/guesses.test.ts',
    title: 'of a million guesses from everywhere an account gets no more than its limit, and its owner is let in',
    edits: [edit('apps/admin-api/src/identity/login-throttle.ts', 'if (waitMs > 0) return waitMs;', '')],
  },
  {
    test: 'apps/admin-api/src/identity/login-throttle.test.ts',
    title: 'lets the owner in from a known address while others guess from many',
    edits: [
      edit('apps/admin-api/src/identity/login-throttle.ts', '...(isOwner ? [] : fromAnywhere)', '...fromAnywhere'),
    ],
  },
  {
    test: 'apps/admin-api/src/identity/login.test.ts',
    title: 'takes as much time for %s as for a wrong password',
    edits: [edit('apps/admin-api/src/identity/login.ts', 'user?.passwordHash ?? decoy', "user?.passwordHash ?? ''")],
  },
  {
    test: 'apps/admin-api/src/secrets/secret-box.test.ts',
    title: 'refuses a sealed value that was moved to %s',
    edits: [
      edit('apps/admin-api/src/secrets/envelope.ts', 'setAAD(associatedData(place))', 'setAAD(associatedData([]))'),
    ],
  },
  {
    test: 'apps/admin-api/src/config/secrets-on-disk.test.ts',
    title: 'no secret is in the file of a database, in its log or in its backup',
    edits: [
      edit('apps/admin-api/src/resources/secret-values.ts', 'secrets.seal({ ...owner, pointer }, plain)', 'plain'),
    ],
  },
  {
    test: 'apps/admin-api/src/config/export.test.ts',
    title: 'holds no secret, and neither does anything else that says something of a bundle',
    edits: [
      edit(
        'apps/admin-api/src/resources/secret-values.ts',
        'masks.set(pointer, secrets.maskOf(plain))',
        'masks.set(pointer, plain)',
      ),
    ],
  },
  {
    test: 'apps/admin-api/src/consumers/credentials.test.ts',
    title: 'bundles: whoever may only read cannot try out secrets',
    edits: [edit('apps/admin-api/src/config/bundle-descriptor.ts', ' || !parts.comparesSecrets', '')],
  },
];
