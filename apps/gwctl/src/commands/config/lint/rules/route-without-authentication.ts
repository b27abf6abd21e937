import { inlinePluginsOf, isEnabled, textOf } from '../linted-bundle.ts';
import type { LintedBundle, LintRecord } from '../linted-bundle.ts';
import type { LintRule } from '../rule.ts';

/** Plugins that identify whoever asks. Source: spec, Plugin packages, authentication. */
const authenticating: ReadonlySet<string> = new Set([
  'api_key_auth',
  'basic_auth',
  'hmac_auth',
  'jwt_auth',
  'ldap_auth',
  'mtls_client_certificate_auth',
  'oauth2',
  'oidc',
  'session_cookie_auth',
  'vault_authentication',
]);

/** Often meant, so it says no more than that it is so. */
export const routeWithoutAuthentication: LintRule = {
  id: 'route-without-authentication',
  description: 'No plugin of the bundle authenticates the requests of a route',
  severity: 'info',
  check: (bundle) => {
    const instances = bundle.records('plugins').filter(({ values }) => isAuthenticating(values));
    return bundle
      .records('routes')
      .filter(({ values }) => isEnabled(values))
      .filter(({ values }) => !inlinePluginsOf(values).some(({ plugin }) => isAuthenticating(plugin)))
      .filter((route) => !instances.some((instance) => covers(instance, route, bundle)))
      .map((record) => ({ record, at: '', message: 'takes requests of anybody' }));
  },
};

function isAuthenticating(values: LintRecord['values']): boolean {
  return isEnabled(values) && authenticating.has(textOf(values, 'name') ?? '');
}

/** Whether a collection instance runs for all requests of a route; one for some consumers does not. Source: spec, Scope matching. */
function covers(instance: LintRecord, route: LintRecord, bundle: LintedBundle): boolean {
  const { values } = instance;
  if (['consumer_id', 'consumer_group', 'workspace_id'].some((field) => values[field] !== undefined)) return false;
  const gateway = bundle.gatewayOf(instance);
  const [service] = bundle.referred(route, 'services', 'service_id', 'service_name');
  const isOf = (field: string, record: LintRecord | undefined): boolean =>
    textOf(values, `${field}_id`) === undefined && textOf(values, `${field}_name`) === undefined
      ? true
      : record !== undefined &&
        (textOf(values, `${field}_id`) ?? textOf(record.values, 'id')) === textOf(record.values, 'id') &&
        (textOf(values, `${field}_name`) ?? textOf(record.values, 'name')) === textOf(record.values, 'name');
  return (gateway === '' || gateway === bundle.gatewayOf(route)) && isOf('service', service) && isOf('route', route);
}
