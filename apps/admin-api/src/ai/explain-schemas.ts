import * as v from 'valibot';

const MESSAGES_MAX = 1000;
const NAME_LENGTH_MAX = 256;
const ID_LENGTH_MAX = 128;

const text = (lengthMax: number) => v.pipe(v.string(), v.maxLength(lengthMax));
const tokens = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));

/** A request to be explained. Source: wire contract, AI records. */
export const explainRequestSchema = v.pipe(
  v.strictObject({
    tenant_id: v.optional(v.pipe(text(ID_LENGTH_MAX), v.description('As in the query'))),
    model: v.pipe(text(NAME_LENGTH_MAX), v.minLength(1), v.description('As a client would ask for it')),
    messages: v.pipe(
      v.array(v.record(v.string(), v.unknown())),
      v.minLength(1),
      v.maxLength(MESSAGES_MAX),
      v.description('As in a chat completion'),
    ),
    max_tokens: v.optional(v.pipe(tokens, v.description('Allowed for the answer'))),
    max_completion_tokens: v.optional(v.pipe(tokens, v.description('The same, and goes before max_tokens'))),
    stream: v.optional(v.boolean()),
    consumer_id: v.optional(v.pipe(text(ID_LENGTH_MAX), v.description('Who asks'))),
    plugin_id: v.optional(
      v.pipe(text(ID_LENGTH_MAX), v.description('An ai_proxy instance, whose routes and policies go before records')),
    ),
    route_id: v.optional(
      v.pipe(
        text(ID_LENGTH_MAX),
        v.description('A route: the ai_proxy that answers its requests is looked at; not together with plugin_id'),
      ),
    ),
  }),
  v.forward(
    v.partialCheck(
      [['plugin_id'], ['route_id']],
      ({ plugin_id: plugin, route_id: route }) => plugin === undefined || route === undefined,
      'cannot be given together with plugin_id',
    ),
    ['route_id'],
  ),
  v.title('AiExplainRequest'),
);

/** What a caller sends. */
export type ExplainRequestBody = v.InferOutput<typeof explainRequestSchema>;

const source = v.pipe(v.picklist(['record', 'plugin']), v.description('An AI record, or the config of the plugin'));

/** What would happen, and why. */
export const explainResultSchema = v.pipe(
  v.object({
    model: v.string(),
    outcome: v.picklist(['routed', 'default_provider', 'no_route', 'model_not_allowed']),
    status: v.nullable(v.pipe(v.number(), v.description('What the gateway would answer by itself'))),
    reason: v.string(),
    route: v.nullable(v.object({ id: v.string(), source, model: v.string(), strategy: v.string() })),
    targets: v.pipe(
      v.array(
        v.object({
          position: v.pipe(v.number(), v.description('From 1 on')),
          provider: v.string(),
          model: v.string(),
          score: v.pipe(v.nullable(v.number()), v.description('Similarity; semantic routes')),
          share: v.pipe(v.nullable(v.number()), v.description('Of requests that it is first for; weighted routes')),
          priority: v.number(),
          weight: v.number(),
          latency_ms: v.pipe(v.nullable(v.number()), v.description('Configured; gateways go by what they measure')),
          timeout_ms: v.nullable(v.number()),
          reason: v.string(),
        }),
      ),
      v.description('In the order in which they would be tried'),
    ),
    policy: v.nullable(
      v.object({
        id: v.string(),
        source,
        name: v.string(),
        scope: v.picklist(['consumer', 'group', 'default']),
        subject: v.pipe(v.string(), v.description('Whose use its limits count; * for clients whom nobody identified')),
        allowed: v.boolean(),
        token_budget: v.number(),
        token_budget_window_seconds: v.number(),
        rate_limit: v.number(),
        rate_window_seconds: v.number(),
      }),
    ),
    cache: v.pipe(
      v.nullable(
        v.object({
          id: v.string(),
          source,
          mode: v.picklist(['exact', 'semantic', 'hybrid']),
          ttl_seconds: v.number(),
          similarity_threshold: v.number(),
          vary_by_tenant: v.boolean(),
          vary_by_consumer: v.boolean(),
          vector_backend: v.string(),
        }),
      ),
      v.description(
        'Whose answers count; null where none are cached. Whether there is one to give shows in a gateway only',
      ),
    ),
    token_estimate: v.object({
      prompt_tokens: v.number(),
      max_tokens: v.number(),
      total_tokens: v.number(),
      prompt_characters: v.number(),
    }),
    warnings: v.array(v.string()),
  }),
  v.title('AiExplanation'),
);

/** See {@link explainResultSchema}. */
export type ExplainResult = v.InferOutput<typeof explainResultSchema>;
