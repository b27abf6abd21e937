import { edit, type Rule } from './rule.ts';

/** Of the page's table of rules that hold everywhere, those of calls, documents, requests and logs; in its order. */
export const trafficRules: readonly Rule[] = [
  {
    test: 'packages/egress/src/address/address-policy.test.ts',
    title: 'never allows metadata addresses, in no disguise',
    edits: [
      edit('packages/egress/src/address/address-policy.ts', 'AddressPolicy.#metadata.isReachedBy(address) ||', ''),
    ],
  },
  {
    test: 'packages/egress/src/address/address-policy.test.ts',
    title: 'never allows what is refused besides, in no disguise, on its port',
    edits: [
      edit(
        'packages/egress/src/address/address-policy.ts',
        'this.#refused?.has(address, port) === true',
        "address === ''",
      ),
    ],
  },
  {
    test: 'apps/gateway/src/transport/proxy-variables.test.ts',
    title: 'calls go through no proxy that the environment names',
    edits: [edit('packages/egress/src/http/http-caller.ts', 'import { Agent,', 'import { EnvHttpProxyAgent as Agent,')],
  },
  {
    test: 'packages/egress/src/http/answers.test.ts',
    title: 'that %s too large ends the call',
    only: 'that turns out to be too large',
    edits: [edit('packages/egress/src/http/answer.ts', 'if (bytes > bytesMax) throw tooLarge(bytesMax);', '')],
  },
  {
    test: 'packages/ai-router/src/engine/faults.test.ts',
    title: 'ends the request when it is the last attempt, with nothing of the provider that is no error of its own',
    only: 'HTML with status 503.*ends the request',
    edits: [
      edit(
        'packages/ai-router/src/engine/provider-call.ts',
        'jsonObjectOf(bytes) :',
        "(jsonObjectOf(bytes) ?? { error: { message: String(Buffer.from(bytes)), type: '', code: 'provider_error' } }) :",
      ),
    ],
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
    test: 'apps/admin-api/src/http/document-suites.test.ts',
    title: 'the documents of yaml-test-suite are read or refused, and none that is an error holds anything',
    edits: [
      edit(
        'packages/bundle-diff/src/parsing/yaml-document.ts',
        'document.errors[0] ?? document.warnings[0]',
        'document.warnings[0]',
      ),
    ],
  },
  {
    test: 'apps/admin-api/src/http/documents.test.ts',
    title: 'refuses %s and names the place',
    only: 'strict JSON.*refuses',
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
    test: 'apps/admin-api/src/http/document-suites.test.ts',
    title: 'the texts of JSONTestSuite are read or refused as they say, but for keys given twice',
    // Numbers may begin with zeros.
    edits: [edit('packages/bundle-diff/src/parsing/json-scanner.ts', '(?:0|[1-9][0-9]*)', '[0-9]+')],
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
    test: 'packages/plugins/src/xml_transform/index.test.ts',
    title: 'a document type',
    // It is passed over as a comment is.
    edits: [
      edit(
        'packages/plugins/src/xml_transform/document/read-xml.ts',
        'this.#comment();\n      else return;',
        "this.#comment();\n      else if (this.#source.startsWith('<!DOCTYPE', this.#at)) this.#at = this.#behind('>', this.#at);\n      else return;",
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
    test: 'packages/plugin-runtime/src/execution.test.ts',
    title: 'edits a header with a line break',
    edits: [edit('packages/plugin-runtime/src/header-field.ts', '(code < 0x20 && code !== 0x09) ||', '')],
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
    test: 'apps/gateway/src/proxy/edge.test.ts',
    title: 'leaves out hop-by-hop fields, those that Connection names, and names with an underscore',
    edits: [edit('apps/gateway/src/proxy/request-head.ts', "if (!name.includes('_')) pairs", 'pairs')],
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
    test: 'apps/gateway/src/proxy/hostile-peers.test.ts',
    title: 'that answers before the body came gets no other request on that connection',
    edits: [edit('apps/gateway/src/transport/http1-client-connection.ts', 'isLast || !isBodySent', 'isLast')],
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
    test: 'apps/admin-api/src/http/body-input.test.ts',
    title: 'takes gzip only where declared, and unpacks no more than the bound',
    edits: [
      edit('apps/admin-api/src/http/body-input.ts', "encoding === 'gzip' && description.gzip", "encoding === 'gzip'"),
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
    test: 'apps/admin-api/src/http/http-app.test.ts',
    title: 'takes the client address from the right of X-Forwarded-For behind a trusted proxy',
    edits: [edit('apps/admin-api/src/http/client-address.ts', 'trustedProxies.has(address)', 'hops.length > 0')],
  },
  {
    test: 'apps/gateway/src/access-log/access-log.test.ts',
    title: 'is one line of plain characters whatever is in its fields, and not long',
    edits: [edit('apps/gateway/src/access-log/access-line.ts', '.replace(unsafe, escaped)', '')],
  },
  {
    test: 'apps/admin-api/src/logging.test.ts',
    title: 'has a line with the ID for each request, and nothing of what headers, bodies and queries held',
    edits: [edit('apps/admin-api/src/http/http-app.ts', "(incoming.url ?? '/').split('?', 1)[0]", 'incoming.url')],
  },
  {
    test: 'apps/gateway/src/transport/slow-headers.test.ts',
    title: 'clients that send their headers a byte at a time are told so and cut, while others are answered',
    edits: [
      edit('apps/gateway/src/transport/http1-server.ts', 'headersTimeout: times.headersTimeoutMs', 'headersTimeout: 0'),
    ],
  },
  {
    test: 'apps/gateway/src/transport/slow-body-watch.test.ts',
    title: 'cuts who drips while somebody waits, and nobody who is told to wait or is quick enough',
    edits: [edit('apps/gateway/src/transport/slow-body-watch.ts', 'arrived < bodyBytesPerWindowMin', 'arrived < 0')],
  },
  {
    test: 'apps/gateway/src/proxy/connections.test.ts',
    title: 'is cut when its client takes next to nothing of the answer, and the upstream is free again',
    edits: [
      edit('apps/gateway/src/transport/slow-reader.ts', 'return this.#socket.writableLength > 0;', 'return false;'),
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
  {
    test: 'apps/gateway/src/status/status-place.test.ts',
    title: 'metrics and the other pages of the status port are for this machine, and not on the port of clients',
    edits: [
      edit(
        'apps/gateway/src/settings.ts',
        "text('PORTCULLIS_STATUS_HOST', '127.0.0.1')",
        "text('PORTCULLIS_STATUS_HOST', '0.0.0.0')",
      ),
    ],
  },
];
