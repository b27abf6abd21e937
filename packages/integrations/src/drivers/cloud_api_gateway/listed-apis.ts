import { field, isObject } from '../../answer-fields.ts';
import type { JsonAnswer } from '../../calls/ask.ts';
import type { KeepText } from '../../kept-text.ts';
import { unexpectedForm } from '../../unexpected-form.ts';

/** An API of the cloud. */
export interface CloudApi {
  readonly id: string;
  readonly name: string | null;
  /** `REST`, or the protocol of the other list: `HTTP`, `WEBSOCKET`. */
  readonly type: string;
  /** RFC 3339, in UTC. */
  readonly created_date: string | null;
  /** Empty where the API is beyond those whose stages are read, too. */
  readonly stage_names: readonly string[];
}

/** A page of one list. */
export interface ApiPage {
  readonly apis: readonly CloudApi[];
  /** There is a next page, or the page has more than was asked for. */
  readonly isCut: boolean;
}

/** Identifiers become part of addresses. */
const ID = /^[A-Za-z0-9]{1,64}$/;

/** Stages of one API that are kept. The cloud allows ten unless asked for more. */
const STAGES_MAX = 300;

/** `GET /restapis`: `{item: [{id, name, createdDate in seconds}], position?}`. */
export function restPage({ status, value }: JsonAnswer, itemsMax: number, text: KeepText): ApiPage {
  const items = itemsOf(value, 'item');
  if (items === undefined) throw unexpectedForm('rest_apis', status, 'item');
  const apis = items.slice(0, itemsMax).map((item) => api(item, field(item, 'id'), 'REST', text));
  return { apis: apis.filter(isKnown), isCut: items.length > itemsMax || isToken(field(value, 'position')) };
}

/** `GET /v2/apis`: `{items: [{apiId, name, protocolType, createdDate}], nextToken?}`. */
export function httpPage({ status, value }: JsonAnswer, itemsMax: number, text: KeepText): ApiPage {
  const items = itemsOf(value, 'items');
  if (items === undefined) throw unexpectedForm('http_apis', status, 'items');
  const apis = items
    .slice(0, itemsMax)
    .map((item) => api(item, field(item, 'apiId'), text(field(item, 'protocolType')) ?? 'HTTP', text));
  return { apis: apis.filter(isKnown), isCut: items.length > itemsMax || isToken(field(value, 'nextToken')) };
}

/** Names of the stages of one API, of either form, and whether there are more. */
export function stagesOf(
  { status, value }: JsonAnswer,
  text: KeepText,
): {
  readonly names: readonly string[];
  readonly isCut: boolean;
} {
  const items = itemsOf(value, field(value, 'items') === undefined ? 'item' : 'items');
  if (items === undefined) throw unexpectedForm('stages', status, 'list of stages');
  const names = items.slice(0, STAGES_MAX).map((item) => text(field(item, 'stageName')));
  return {
    names: names.filter((name) => name !== null),
    isCut: items.length > STAGES_MAX || isToken(field(value, 'nextToken')),
  };
}

/** What a page has beside its list. */
const PAGE_FIELDS: ReadonlySet<string> = new Set(['position', 'nextToken']);

/** The list of a page. One that is left out, or `null`, is empty where the page has nothing else either; else it is another answer. */
function itemsOf(value: unknown, name: string): readonly unknown[] | undefined {
  const items = field(value, name);
  if (Array.isArray(items)) return items;
  const isBare = isObject(value) && Object.keys(value).every((key) => key === name || PAGE_FIELDS.has(key));
  return isBare && (items === undefined || items === null) ? [] : undefined;
}

function isKnown(api: CloudApi | undefined): api is CloudApi {
  return api !== undefined;
}

function api(item: unknown, id: unknown, type: string, text: KeepText): CloudApi | undefined {
  if (typeof id !== 'string' || !ID.test(id)) return undefined;
  const created = dateOf(field(item, 'createdDate'));
  return { id, name: text(field(item, 'name')), type, created_date: created, stage_names: [] };
}

/** Characters of a date. */
const DATE_LENGTH_MAX = 64;

/** Seconds since 1970, or a date as text. */
function dateOf(given: unknown): string | null {
  const isText = typeof given === 'string' && given.length <= DATE_LENGTH_MAX;
  const ms = typeof given === 'number' ? given * 1000 : isText ? Date.parse(given) : Number.NaN;
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function isToken(token: unknown): boolean {
  return typeof token === 'string' && token !== '';
}
