import { hash } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import { canonicalRequest } from './canonical-request.ts';
import type { CacheSettings } from './cache-settings.ts';
import { lastUserText } from './last-user-text.ts';

/** Of what keys are made of: another number makes all that was kept before unfindable. */
export const KEY_VERSION = 1;

/** Bytes of a request that is cached. A key costs as much as the text that it is made of. */
export const CACHED_REQUEST_BYTES_MAX: number = 256 * 1024;

/** A request, and what beside its body decides the answer. */
export interface CacheRequest {
  readonly operation: AiOperation;
  readonly body: JsonObject;
  /** Of the body as it arrived. */
  readonly bodyBytes: number;
  readonly consumerId: string | undefined;
  /** Headers that vendors read, name and value by turns. */
  readonly vendorHeaders: readonly string[] | undefined;
  /** Tells targets from others: see `planMark`. */
  readonly plan: string;
}

/** How an answer is looked for. */
export interface CacheQuestion {
  readonly key: string;
  /** Both or neither: what the user said last, and the key of everything else. */
  readonly prompt: string | undefined;
  readonly partition: string | undefined;
}

/** Whose answers they are, and by which settings. */
export interface QuestionScope {
  readonly tenantId: string;
  readonly settings: Pick<CacheSettings, 'id' | 'variesByTenant' | 'variesByConsumer'>;
  /** Whose vectors are compared; `undefined` where none are. */
  readonly embedderId: string | undefined;
}

/**
 * The key of a request, and the partition within which texts of users are compared. Whatever may shape the answer is part of both.
 * @returns `undefined` for a request that is not cached: too large, kept by its provider, a part of a conversation that the provider keeps
 */
export function cacheQuestion(request: CacheRequest, scope: QuestionScope): CacheQuestion | undefined {
  const { operation, body, bodyBytes } = request;
  if (bodyBytes > CACHED_REQUEST_BYTES_MAX || hasEffects(operation, body)) return undefined;
  const { embedderId } = scope;
  const place = embedderId === undefined ? undefined : lastUserText(operation, body);
  const text = canonicalRequest(body, place);
  if (text === undefined) return undefined;
  const head = headOf(request, scope);
  const prompt = place?.text;
  return {
    key: hash('sha256', `${head}\n${text}\n${prompt === undefined ? '' : JSON.stringify(prompt)}`, 'hex'),
    prompt,
    partition: prompt === undefined ? undefined : hash('sha256', `${head}\n${embedderId}\n${text}`, 'hex'),
  };
}

function headOf({ operation, plan, consumerId, vendorHeaders = [] }: CacheRequest, scope: QuestionScope): string {
  const { tenantId, settings } = scope;
  const tenant = settings.variesByTenant ? [tenantId] : [];
  const scopeId = settings.variesByTenant ? settings.id : '';
  // All clients whom nobody identified are one: no consumer's ID is a list.
  const consumer = settings.variesByConsumer ? [consumerId ?? []] : [];
  return JSON.stringify([KEY_VERSION, tenant, scopeId, consumer, operation, plan, vendorHeaders]);
}

/** Whether a provider is to do more than answer, or to answer from what it keeps. Source: OpenAI API. */
function hasEffects(operation: AiOperation, body: JsonObject): boolean {
  const { store } = body;
  if (operation !== 'responses') return store !== undefined && store !== null && store !== false;
  return store !== false || continuing.some((name) => body[name] !== undefined && body[name] !== null);
}

const continuing = ['previous_response_id', 'conversation', 'background', 'prompt'] as const;
