import type { PluginHooks } from '@portcullis/plugin-runtime';
import { addressRefusal } from '../shared/address-refusal.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { networksOf } from '../shared/networks-field.ts';
import { refusal } from '../shared/problem.ts';
import { config } from './config.ts';

/** Lets requests from listed addresses pass. */
export const ipWhitelist: BuiltIn = builtIn({
  name: 'ip_whitelist',
  version: '1.0.0',
  category: 'access_control',
  triggers: ['before_request'],
  description: 'Lets requests pass whose client has one of the listed addresses, and refuses all others',
  config,
  setup({ allowed_ips: allowed }, { log }): PluginHooks {
    const networks = networksOf(allowed);
    const refuse = refusal(log, addressRefusal);
    return {
      request: (exchange) =>
        networks.has(exchange.request.clientIp) ? undefined : refuse(exchange, 'address_not_allowed'),
    };
  },
});
