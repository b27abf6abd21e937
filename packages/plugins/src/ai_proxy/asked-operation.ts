import type { AiOperation } from '@portcullis/ai-router';
import type { RequestView } from '@portcullis/plugin-runtime';
import { operationOfPath } from '../shared/chat/asked-operation.ts';
import type { Config } from './config.ts';

/** What a client asks for. */
export type Asked = AiOperation | 'models';

const byRouteType: ReadonlyMap<string, AiOperation> = new Map([
  ['llm/v1/chat', 'chat'],
  ['llm/v1/completions', 'completions'],
  ['llm/v1/embeddings', 'embeddings'],
  ['llm/v1/responses', 'responses'],
  ['llm/v1/messages', 'messages'],
]);

/** What a request asks for: by the route's type, or else by its path. `undefined` for nothing that is known. */
export function askedOperation({ method, path }: RequestView, routeType: Config['route_type']): Asked | undefined {
  const end = path.endsWith('/') ? path.slice(0, -1) : path;
  if (method === 'GET') return end.endsWith('/models') ? 'models' : undefined;
  if (method !== 'POST') return undefined;
  const fixed = routeType === undefined ? undefined : byRouteType.get(routeType);
  return fixed ?? operationOfPath({ path });
}
