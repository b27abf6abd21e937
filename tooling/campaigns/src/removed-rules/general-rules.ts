import { edit, type Rule } from './rule.ts';

/** One for each row of the page's table of rules that hold everywhere, in its order. */
export const generalRules: readonly Rule[] = [
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
    test: 'apps/admin-api/src/identity/login.test.ts',
    title: 'no table holds a refresh token or a password',
    edits: [
      edit('apps/admin-api/src/identity/opaque-token.ts', "secretHash: hash('sha256', secret)", 'secretHash: secret'),
    ],
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
  {
    test: 'apps/admin-api/src/http/documents.test.ts',
    title: 'repeats an anchor up to 1,000 times',
    edits: [
      edit(
        'packages/bundle-diff/src/parsing/yaml-document.ts',
        'seen.aliases > documentLimits.aliasesMax',
        'seen.aliases < 0',
      ),
    ],
  },
  {
    test: 'apps/admin-api/src/http/documents.test.ts',
    title: 'refuses %s and names the place',
    only: 'strict JSON refuses',
    // What is in doubt is not read again.
    edits: [
      edit(
        'packages/bundle-diff/src/parsing/quick-json.ts',
        'keysOf(value, 1) === colonsOf(text)',
        'colonsOf(text) >= 0',
      ),
    ],
  },
  {
    test: 'packages/plugins/src/xml_transform/document/read-xml.test.ts',
    title: 'has more references than the bound, wherever they stand',
    edits: [
      edit(
        'packages/plugins/src/xml_transform/document/read-xml.ts',
        'this.#references > XML_REFERENCES_MAX',
        'this.#references < 0',
      ),
    ],
  },
  {
    test: 'packages/plugins/src/response_header_setter/index.test.ts',
    title: 'a line with a line break',
    edits: [
      edit(
        'packages/plugins/src/shared/config-fields.ts',
        String.raw`v.regex(/^[\t\x20-\x7e\x80-\xff]*$/, `,
        'v.regex(/^/, ',
      ),
    ],
  },
  {
    test: 'packages/plugins/src/daemon_metrics/config.test.ts',
    title: String.raw`a\nb:1`,
    edits: [
      edit(
        'packages/plugins/src/daemon_metrics/tags.ts',
        String.raw`const ENTRY = /^[A-Za-z][\w./-]*:[\w./+-]+$/`,
        'const ENTRY = /^/',
      ),
    ],
  },
  {
    test: 'apps/gateway/src/framing/request-framing.test.ts',
    title: 'of thousands of requests each means the same to the gateway',
    edits: [
      edit(
        'apps/gateway/src/proxy/request-head.ts',
        "coding !== undefined && call.httpVersion === '1.0'",
        "coding === ''",
      ),
    ],
  },
  {
    test: 'apps/gateway/src/framing/hop-by-hop.test.ts',
    title: 'of hundreds of requests and answers no field that belongs to one connection is on the next one',
    edits: [edit('apps/gateway/src/proxy/request-head.ts', 'removeNamedFields(pairs, connection);', ';')],
  },
  {
    test: 'apps/gateway/src/proxy/hostile-peers.test.ts',
    title: 'does not answer requests that nobody sent',
    // What came early is kept for the next request.
    edits: [
      edit(
        'apps/gateway/src/transport/http1-client-connection.ts',
        'else if (at < bytes.length) this.drop();',
        'else if (at < bytes.length) { this.#unread = bytes.subarray(at); this.#rest(); }',
      ),
    ],
  },
  {
    test: 'apps/admin-api/src/http/body-input.test.ts',
    title: 'more than the bound without a length is cut off at the bound',
    edits: [edit('apps/admin-api/src/http/read-body.ts', 'bytes > bounds.bytesMax', 'bytes < 0')],
  },
  {
    test: 'packages/plugins/src/shared/bodies/body-coding.test.ts',
    title: 'is no bomb',
    edits: [
      edit(
        'packages/plugins/src/shared/bodies/body-coding.ts',
        'Math.max(DECODED_BYTES_FREE, bytes.length * DECODED_RATIO_MAX)',
        'bytesMax',
      ),
    ],
  },
  {
    test: 'apps/gateway/src/proxy/edge.test.ts',
    title: 'routes, shows and forwards one canonical path, whatever its spelling',
    edits: [edit('apps/gateway/src/proxy/request-head.ts', 'normalisePath(target.path)', 'target.path')],
  },
  {
    test: 'apps/gateway/src/proxy/trusted-proxies.test.ts',
    title: 'is the peer itself when that is not trusted',
    edits: [edit('apps/gateway/src/proxy/trusted-proxies.ts', 'if (!this.has(client)) return client;', '')],
  },
  {
    test: 'apps/gateway/src/access-log/access-log.test.ts',
    title: 'is one line of plain characters whatever is in its fields, and not long',
    edits: [edit('apps/gateway/src/access-log/access-line.ts', '.replace(unsafe, escaped)', '')],
  },
  {
    test: 'apps/gateway/src/proxy/edge.test.ts',
    title: 'does not wait forever for headers',
    edits: [
      edit('apps/gateway/src/transport/http1-server.ts', 'headersTimeout: times.headersTimeoutMs', 'headersTimeout: 0'),
    ],
  },
  {
    test: 'packages/plugin-runtime/src/execution.test.ts',
    title: 'of category %s with failure_mode %s makes the stage %s',
    edits: [edit('packages/plugin-runtime/src/execution-policy.ts', 'FAIL_CLOSED_CATEGORIES.has(category) ||', '')],
  },
  {
    test: 'apps/admin-api/src/http/http-app.test.ts',
    title: 'an unexpected error leaves as internal, without its text, and is logged with it',
    edits: [
      edit(
        'apps/admin-api/src/http/failure-report.ts',
        "'Something went wrong on our side; the request ID finds it in our log'",
        'String(thrown)',
      ),
    ],
  },
  {
    test: 'apps/admin-api/src/operations/operations.test.ts',
    title: 'can be restricted to addresses',
    edits: [
      edit(
        'apps/admin-api/src/operations/service-metrics.ts',
        '!allowed.has(request.sourceIp)',
        "request.sourceIp === ''",
      ),
    ],
  },
];
