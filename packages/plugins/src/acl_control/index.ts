import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { earlyWarning } from '../shared/early-warning.ts';
import { problemAnswer, refusal } from '../shared/problem.ts';
import { accessRules } from './access-rules.ts';
import { config } from './config.ts';

/** Lets requests of listed consumers, groups, roles and tenants pass. */
export const aclControl: BuiltIn = builtIn({
  name: 'acl_control',
  version: '1.0.0',
  category: 'access_control',
  triggers: ['before_request'],
  description: 'Lets requests pass whose identified client is a listed user, or has a listed group, role or tenant',
  config,
  setup(settings, { log }): PluginHooks {
    const faultOf = accessRules(settings);
    const unauthenticated = refusal(log, unidentified);
    const refuse = refusal(log, forbidden);
    const look = earlyWarning('acl_control', 'every request is refused with 401', log);
    return {
      request(exchange, place) {
        look(place);
        const fault = faultOf(exchange, place);
        if (fault === undefined) return undefined;
        return fault === 'no_identity' ? unauthenticated(exchange, fault) : refuse(exchange, fault);
      },
    };
  },
});

/** Which scheme would do is for the authentication plugins to say. Source: RFC 9110, 11.6.1: a 401 names one. */
const unidentified = problemAnswer(
  {
    status: 401,
    code: 'unauthenticated',
    title: 'Unauthorized',
    detail: 'only identified clients may send this request',
  },
  ['www-authenticate', 'Consumer realm="api"'],
);

const forbidden = problemAnswer({
  status: 403,
  code: 'forbidden',
  title: 'Forbidden',
  detail: 'this client may not send this request',
});
