import { isIP } from 'node:net';
import type { PluginHooks } from '@portcullis/plugin-runtime';
import { addressRefusal } from '../shared/address-refusal.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { networksOf } from '../shared/networks-field.ts';
import { refusal } from '../shared/problem.ts';
import { config } from './config.ts';

/** Refuses requests from listed addresses. */
export const ipBlacklist: BuiltIn = builtIn({
  name: 'ip_blacklist',
  version: '1.0.0',
  category: 'access_control',
  triggers: ['before_request'],
  description: 'Refuses requests whose client has one of the listed addresses, and lets all others pass',
  config,
  setup({ blocked_ips: blocked }, { log }): PluginHooks {
    const networks = networksOf(blocked);
    const refuse = refusal(log, addressRefusal);
    return {
      request(exchange) {
        const { clientIp } = exchange.request;
        if (networks.has(clientIp)) return refuse(exchange, 'address_blocked');
        // Nobody can say that an unknown address is not a blocked one.
        return isIP(clientIp) === 0 ? refuse(exchange, 'address_unknown') : undefined;
      },
    };
  },
});
