import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { config } from './config.ts';

/** Gives every request an ID that upstream and client can name it by. */
export const correlationId: BuiltIn = builtIn({
  name: 'correlation_id',
  version: '1.0.0',
  category: 'observability',
  // The echo is decided with the request and holds for whatever response it gets, an error too: one hook does it all.
  triggers: ['both', 'before_request'],
  description: 'Gives each request an ID header, keeps the client’s where allowed, and can echo it in the response',
  config,
  setup(settings, { newId }): PluginHooks {
    const { header_name: name, allow_client_override: keepsClients } = settings;
    const echoes = settings.echo_response ?? settings.echo_downstream ?? settings.response_header_name !== undefined;
    const responseName = settings.response_header_name ?? name;
    return {
      request(exchange) {
        const given = keepsClients ? exchange.request.headers.get(name) : undefined;
        const isKept = given !== undefined && isCorrelationId(given);
        if (isKept && !echoes) return undefined;
        const id = isKept ? given : newId();
        return {
          ...(isKept ? {} : { headers: [{ op: 'set', name, value: id }] }),
          ...(echoes ? { responseHeaders: [{ op: 'set', name: responseName, value: id }] } : {}),
        };
      },
    };
  },
});

/** Longest ID that is taken from a client. */
const ID_LENGTH_MAX = 128;

/** IDs end in logs and other systems: what a client sends is taken only when it is harmless everywhere. */
function isCorrelationId(value: string): boolean {
  return value.length <= ID_LENGTH_MAX && /^[\w.:/+=@~-]+$/.test(value);
}
