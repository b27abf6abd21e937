import type { ErrorExchange, Exchange, NamedRecord, ResponseExchange } from '@portcullis/plugin-runtime';
import type { BodySide } from '../shared/bodies/body-problems.ts';
import { JsonBody } from './exact-json.ts';

/** What a template is filled from. */
export interface TemplateContext {
  readonly exchange: Exchange | ResponseExchange | ErrorExchange;
  /** The body that the template takes the place of: a `JsonBody`, or a text; `undefined` where there is none. */
  readonly body: unknown;
  /** The client's body, for the templates of responses. */
  readonly requestBody: unknown;
}

/** Finds the value of a variable; `undefined` where it is missing. */
export type Variable = (context: TemplateContext) => unknown;

type Steps = readonly string[];

/** Makes a variable of the steps behind its name; `undefined` where they lead nowhere for any message. */
type VariableMaker = (steps: Steps, side: BodySide) => Variable | undefined;

/** A value that has nothing within it. */
function leaf(find: Variable): VariableMaker {
  return (steps) => (steps.length === 0 ? find : undefined);
}

const body: VariableMaker = (steps) => (context) => valueAt(context.body, steps);

const requestBody: VariableMaker = (steps, side) =>
  side === 'request' ? (context) => valueAt(context.body, steps) : (context) => valueAt(context.requestBody, steps);

const requestHeaders: VariableMaker = named(({ exchange }, name) => exchange.request.headers.get(name));

const responseHeaders: VariableMaker = named(({ exchange }, name) =>
  'response' in exchange ? exchange.response.headers.get(name) : undefined,
);

const query: VariableMaker = (steps) => {
  const [name, ...more] = steps;
  if (name === undefined) return ({ exchange }) => exchange.request.query;
  return more.length > 0
    ? undefined
    : ({ exchange }) => new URLSearchParams(exchange.request.query).get(name) ?? undefined;
};

const status = leaf(({ exchange }) => ('response' in exchange ? exchange.response.status : undefined));
const method = leaf(({ exchange }) => exchange.request.method);
const path = leaf(({ exchange }) => exchange.request.path);
const host = leaf(({ exchange }) => exchange.request.host);
const clientIp = leaf(({ exchange }) => exchange.request.clientIp);
const requestId = leaf(({ exchange }) => exchange.facts.requestId);

const CONSUMER: ReadonlyMap<string, Variable> = new Map<string, Variable>([
  ['id', ({ exchange }) => exchange.consumer?.id],
  ['username', ({ exchange }) => exchange.consumer?.username],
  ['custom_id', ({ exchange }) => exchange.consumer?.customId],
  ['groups', ({ exchange }) => exchange.consumer?.groups],
  ['credential_id', ({ exchange }) => exchange.consumer?.credentialId],
]);

const consumer: VariableMaker = ([field = '', ...more]) => {
  const find = CONSUMER.get(field);
  return find && ((context) => valueAt(find(context), more));
};

/** ID and name of a configured record. */
function record(find: (exchange: Exchange) => NamedRecord | undefined): VariableMaker {
  return ([field, ...more]) => {
    if (more.length > 0 || (field !== 'id' && field !== 'name')) return undefined;
    return ({ exchange }) => find(exchange)?.[field];
  };
}

const REQUEST: ReadonlyMap<string, VariableMaker> = new Map([
  ['id', requestId],
  ['method', method],
  ['scheme', leaf(({ exchange }) => exchange.request.scheme)],
  ['host', host],
  ['path', path],
  ['url', leaf(({ exchange }) => exchange.request.url)],
  ['query', query],
  ['client_ip', clientIp],
  ['headers', requestHeaders],
  ['body', requestBody],
]);

const RESPONSE: ReadonlyMap<string, VariableMaker> = new Map([
  ['status', status],
  ['headers', responseHeaders],
  ['body', body],
]);

/** Names with which paths begin. `response` and `status` are known to responses alone. */
const VARIABLES: ReadonlyMap<string, VariableMaker> = new Map<string, VariableMaker>([
  ['body', body],
  ['request', below(REQUEST)],
  ['response', (steps, side) => (side === 'response' ? below(RESPONSE)(steps, side) : undefined)],
  ['headers', (steps, side) => (side === 'request' ? requestHeaders : responseHeaders)(steps, side)],
  ['query', query],
  ['method', method],
  ['path', path],
  ['host', host],
  ['status', (steps, side) => (side === 'response' ? status(steps, side) : undefined)],
  ['client_ip', clientIp],
  ['request_id', requestId],
  ['consumer', consumer],
  ['route', record(({ facts }) => facts.route)],
  ['service', record(({ facts }) => facts.service)],
  ['gateway', record(({ facts }) => facts.gateway)],
  ['tenant_id', leaf(({ exchange }) => exchange.facts.tenantId)],
  ['workspace_id', leaf(({ exchange }) => exchange.facts.workspaceId)],
]);

/** Finds out what a path means; `undefined` for one that never means anything. */
export function variableOf(steps: Steps, side: BodySide): Variable | undefined {
  return below(VARIABLES)(steps, side);
}

/** Whether a path leads to what only responses have, for a template of requests. */
export function isOfOtherSide([first]: Steps, side: BodySide): boolean {
  return side === 'request' && (first === 'response' || first === 'status');
}

/** Whether a path leads into the body that the template takes the place of. */
export function isOfBody([first, second]: Steps, side: BodySide): boolean {
  return first === 'body' || (first === side && second === 'body');
}

function below(makers: ReadonlyMap<string, VariableMaker>): VariableMaker {
  return ([name = '', ...more], side) => makers.get(name)?.(more, side);
}

function named(find: (context: TemplateContext, name: string) => string | undefined): VariableMaker {
  return ([name, ...more]) => {
    // A name is needed, and a header has nothing within it.
    if (name === undefined || more.length > 0) return undefined;
    const lower = name.toLowerCase();
    return (context) => find(context, lower);
  };
}

/** Goes down a value by names and indexes that are its own: `constructor` and `__proto__` are names like others. */
function valueAt(value: unknown, steps: Steps): unknown {
  if (value instanceof JsonBody) return value.at(steps);
  let at = value;
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    if (Array.isArray(at) && step === 'length') return undefined;
    at = (at as Readonly<Record<string, unknown>>)[step];
  }
  return at;
}
