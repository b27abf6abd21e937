import { edit, type Rule } from './rule.ts';

/**
 * Every plugin, vault and integration has its addresses judged here. This machine's own are let through, and no others: calls to those would
 * wait for nobody.
 */
const addresses = edit(
  'packages/egress/src/address/address-policy.ts',
  'return isPublicAddress(address) ?',
  "return isPublicAddress(address) || address.endsWith('127.0.0.1') || address === '::1' ?",
);

/** One for each row of the page's table of single fields, in its order. */
export const fieldRules: readonly Rule[] = [
  {
    test: 'apps/admin-api/src/plugins/variable-references.test.ts',
    title: 'is refused in plugins, routes, AI records and bundles',
    edits: [
      edit(
        'apps/admin-api/src/plugins/variable-references.ts',
        'if (isAllowed(allow, name, tenantId)) return;',
        "if (isAllowed(allow, name, tenantId) || name !== '') return;",
      ),
    ],
  },
  {
    test: 'apps/gateway/src/log-files/log-folder.test.ts',
    title: 'follows no link that takes the place of a file or a folder while it writes',
    edits: [edit('apps/gateway/src/log-files/adapters/folder.ts', ' | constants.O_NOFOLLOW', '')],
  },
  {
    test: 'packages/plugins/src/file_log/index.test.ts',
    title: 'refuses the path %j where it is configured',
    edits: [edit('packages/plugins/src/file_log/config.ts', '      LOG_PATH,', '      /^/,')],
  },
  {
    test: 'apps/gateway/src/log-files/log-rooms.test.ts',
    title: 'refuses a tenant that has no room left, and no other',
    edits: [
      edit('apps/gateway/src/log-files/tenant-room.ts', 'this.#bytes + bytes > this.#ports.bytesMax', 'bytes < 0'),
    ],
  },
  {
    test: 'packages/plugins/src/cloud_guardrails/config.test.ts',
    title: 'a region that leads elsewhere',
    edits: [
      edit(
        'packages/plugins/src/cloud_guardrails/config.ts',
        String.raw`v.regex(/^[a-z]{2}(?:-[a-z]+)+-\d$/, `,
        'v.regex(/^/, ',
      ),
    ],
  },
  {
    test: 'packages/plugins/src/apm_vendor/index.test.ts',
    title: 'may not have the site %j, which would become part of a host',
    edits: [
      edit(
        'packages/plugins/src/apm_vendor/config.ts',
        `choice("The vendor's site that the key belongs to", SITES)`,
        'v.custom<(typeof SITES)[number]>(() => true)',
      ),
    ],
  },
  {
    test: 'packages/plugins/src/address-fields.test.ts',
    title: 'leads to no private address, however it is spelt',
    only: 'http_log /endpoint.*leads to no private address',
    edits: [addresses],
  },
  {
    test: 'packages/egress/src/http/redirects.test.ts',
    title: 'to %s is refused, also as the second of a chain',
    only: 'to a private address is refused',
    // What follows the first hop goes out as any client of the library would.
    edits: [
      edit(
        'packages/egress/src/http/http-caller.ts',
        'hop = outcome;',
        'hop = outcome; this.#agents.any = new Agent();',
      ),
    ],
  },
  {
    test: 'packages/plugins/src/address-fields.test.ts',
    title: 'leads to no private address when its name changes its mind',
    only: 'http_log /endpoint.*leads to no private address when',
    // The name is asked for once more when it is connected to.
    edits: [
      edit(
        'packages/egress/src/address/vetted-addresses.ts',
        '  async of(',
        '  again(name) { return this.#lookup(name); }\n  async of(',
      ),
      edit(
        'packages/egress/src/http/guarded-connector.ts',
        '{ certificates, onOpen,',
        '{ addresses, certificates, onOpen,',
      ),
      edit(
        'packages/egress/src/http/guarded-connector.ts',
        'lookup: answerWith(vetted),',
        'lookup: (name, _, callback) => addresses.again(name).then((all) => callback(null, all.map((address) => ({ address, family: 4 })))),',
      ),
    ],
  },
  {
    test: 'apps/gateway/src/adapters/vault-addresses.test.ts',
    title: 'a vault leads to no private address over %s, however it is spelt',
    edits: [addresses],
  },
  {
    test: 'apps/gateway/src/adapters/vault-addresses.test.ts',
    title: 'a vault that redirects with %i is not followed',
    edits: [edit('packages/vaults/src/drivers/hashicorp.ts', 'redirectsMax: 0 }', 'redirectsMax: 3 as 0 }')],
  },
  {
    test: 'apps/admin-api/src/integrations/driver-addresses.test.ts',
    title: 'reaches no private address over %s, however it is spelt',
    edits: [addresses],
  },
  {
    test: 'packages/plugins/src/stream_log/hostile.test.ts',
    title: 'calls no broker at %s that a cluster names and the operator does not allow',
    edits: [
      edit(
        'packages/plugins/src/stream_log/kafka/guarded-connections.ts',
        'const addresses = await guard.outbound.resolve',
        'if (broker.port > 0) return [broker];\n    const addresses = await guard.outbound.resolve',
      ),
    ],
  },
  {
    test: 'packages/plugins/src/ldap_auth/index.test.ts',
    title: 'refuses %s with 401 without asking',
    edits: [
      edit(
        'packages/plugins/src/ldap_auth/index.ts',
        "if (password === '') return refuse(exchange, 'empty_password');",
        '',
      ),
    ],
  },
  {
    test: 'apps/gateway/src/proxy/edge.test.ts',
    title: 'takes no word of an untrusted peer about who its client is',
    edits: [
      edit(
        'apps/gateway/src/proxy/request-head.ts',
        'const isTrusted = trusted.has(peer);',
        "const isTrusted = trusted.has(peer) || peer !== '';",
      ),
    ],
  },
  {
    test: 'apps/admin-api/src/config/import.test.ts',
    title: "has no use for another tenant's IDs",
    edits: [
      edit(
        'apps/admin-api/src/store/create-resource-store.ts',
        ".where('tenant_id', '=', tenantId)\n      .where('family', '=', family)\n      .where('id', 'in', chunk)",
        ".where('family', '=', family)\n      .where('id', 'in', chunk)",
      ),
    ],
  },
  {
    test: 'apps/admin-api/src/config/masked-import.test.ts',
    title: 'a mask never takes the place of a secret',
    edits: [
      edit(
        'apps/admin-api/src/resources/secret-values.ts',
        'if (masked.length === 0) return',
        'if (masked.length >= 0) return',
      ),
    ],
  },
  {
    test: 'packages/plugins/src/ai_proxy/cache.test.ts',
    title: 'keeps each tenant apart, whatever the config says',
    edits: [
      edit(
        'packages/plugins/src/ai_proxy/answer-caches.ts',
        'return { ...settings, variesByTenant: true };',
        'return settings;',
      ),
    ],
  },
  {
    test: 'packages/plugins/src/response_cache/index.test.ts',
    title: "a consumer's answer for another one",
    edits: [
      edit(
        'packages/plugins/src/response_cache/asked-request.ts',
        "return consumer === undefined && !isAuthenticated && vary.some(({ name }) => name === 'authorization');",
        'return true;',
      ),
    ],
  },
  {
    test: 'packages/plugins/src/template_transform/template.test.ts',
    title: 'body.%s is missing',
    edits: [edit('packages/plugins/src/template_transform/variables.ts', ' || !Object.hasOwn(at, step)', '')],
  },
  {
    test: 'packages/openapi/src/read-description.test.ts',
    title: 'a remote reference in a schema',
    edits: [edit('packages/openapi/src/read-description.ts', 'refuseRemoteReferences(document, problems);', '')],
  },
  {
    test: 'packages/plugins/src/redirect/index.test.ts',
    title: 'leads nowhere else with the path %j',
    edits: [edit('packages/plugins/src/redirect/target.ts', 'joinedPath(target.path, safePath(path))', 'path')],
  },
  {
    test: 'packages/plugins/src/shared/safe-patterns.test.ts',
    title: 'end in a text that %s tries in vain',
    neverEnds: true,
    edits: [
      edit(
        'packages/plugins/src/shared/safe-patterns.ts',
        'return (text) => set.match(text).length > 0;',
        'return (text) => patterns.some((pattern) => new RegExp(pattern).test(text));',
      ),
    ],
  },
  {
    test: 'apps/admin-api/src/http/body-input.test.ts',
    title: '%s gets the right problem',
    only: '__proto__ gets the right problem',
    edits: [
      edit(
        'packages/bundle-diff/src/parsing/json-scanner.ts',
        'if (forbiddenKeys.has(key)) this.#fail',
        "if (key === ' ') this.#fail",
      ),
    ],
  },
  {
    test: 'packages/plugins/src/ldap_auth/config.test.ts',
    title: 'never leave their place in a template, whatever they hold',
    edits: [
      edit('packages/plugins/src/ldap_auth/distinguished-name.ts', '() => escapedValue(username)', '() => username'),
    ],
  },
  {
    test: 'packages/plugins/src/shared/json-text/edit-json.test.ts',
    title: 'names that objects have',
    // What is edited becomes an object on the way.
    edits: [
      edit(
        'packages/plugins/src/shared/json-text/edit-json.ts',
        'const edited = document.toText();',
        'const edited = JSON.stringify(Object.assign({}, JSON.parse(document.toText())));',
      ),
    ],
  },
  {
    test: 'packages/plugins/src/oas_validation/schemas/schema-checks.test.ts',
    title: 'gives up on a value that is nested beyond the stack',
    edits: [
      edit(
        'packages/plugins/src/oas_validation/schemas/schema-checks.ts',
        'error instanceof TooManySteps || error instanceof RangeError',
        'error instanceof TooManySteps',
      ),
    ],
  },
  {
    test: 'apps/admin-api/src/config/import.test.ts',
    title: 'is refused when the live state moved, and when query and body name different tenants',
    edits: [
      edit('apps/admin-api/src/identity/tenant-scope.ts', 'second !== undefined && first !== second', "second === ''"),
    ],
  },
];
