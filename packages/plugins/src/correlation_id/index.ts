import type { Exchange, PluginHooks, ResponseEdits } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { noteCorrelationId, notedCorrelationId } from '../shared/records/correlation-note.ts';
import { config } from './config.ts';

/** Gives every request an ID that upstream and client can name it by. */
export const correlationId: BuiltIn = builtIn({
  name: 'correlation_id',
  version: '1.0.0',
  category: 'observability',
  // The echo is decided with the request and holds for whatever response it gets, an error too.
  triggers: ['both', 'before_request', 'after_response', 'on_error'],
  description: 'Gives each request an ID header, keeps the client’s where allowed, and can echo it in the response',
  config,
  setup(settings, { newId }): PluginHooks {
    const { header_name: name, allow_client_override: keepsClients } = settings;
    const echoes = settings.echo_response ?? settings.echo_downstream ?? settings.response_header_name !== undefined;
    const responseName = settings.response_header_name ?? name;
    const idOf = (exchange: Exchange): CorrelationId => {
      const given = keepsClients ? exchange.request.headers.get(name) : undefined;
      const isKept = given !== undefined && isCorrelationId(given);
      const id = isKept ? given : newId();
      noteCorrelationId(exchange, id);
      return { id, isKept };
    };
    // Another plugin refused the request before it came here: the answer has an ID all the same, and so has the record.
    const late = (exchange: Exchange): ResponseEdits | undefined => {
      if (notedCorrelationId(exchange) !== undefined) return undefined;
      const { id } = idOf(exchange);
      return echoes ? { headers: [{ op: 'set', name: responseName, value: id }] } : undefined;
    };
    return {
      request(exchange) {
        const { id, isKept } = idOf(exchange);
        if (isKept && !echoes) return undefined;
        return {
          ...(isKept ? {} : { headers: [{ op: 'set', name, value: id }] }),
          ...(echoes ? { responseHeaders: [{ op: 'set', name: responseName, value: id }] } : {}),
        };
      },
      response: late,
      error: late,
    };
  },
});

/** The ID of a request, and whether it is the client's. */
interface CorrelationId {
  readonly id: string;
  readonly isKept: boolean;
}

/** Longest ID that is taken from a client. */
const ID_LENGTH_MAX = 128;

/** IDs end in logs and other systems: what a client sends is taken only when it is harmless everywhere. */
function isCorrelationId(value: string): boolean {
  return value.length <= ID_LENGTH_MAX && /^[\w.:/+=@~-]+$/.test(value);
}
