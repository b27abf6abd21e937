import type { AdapterCall } from '../adapter.ts';
import { UnsupportedRequestError } from '../errors.ts';

/** A part of a model's name that may stand in a path. What looks like a step up (`..`) may not. */
const SEGMENT = /^(?!\.{1,2}$)[\w.@~-]+$/;

/**
 * A model's name for a path, without a leading `models/`.
 * @throws UnsupportedRequestError for a name that a path cannot hold
 */
export function geminiModel(model: string): string {
  return checked(model.startsWith('models/') ? model.slice('models/'.length) : model);
}

/** The path below `https://generativelanguage.googleapis.com/v1beta`. */
export function geminiPath(call: AdapterCall, method: string): string {
  const model = geminiModel(call.model);
  return named(call, model, method) ?? `/models/${model}:${method}`;
}

/**
 * The path below `https://REGION-aiplatform.googleapis.com/v1`. Without a project it is that of the express mode, whose key names it.
 * Models of other publishers, and tuned ones, are named by their whole path (`publishers/…`, `projects/…`).
 */
export function vertexPath(call: AdapterCall, method: string): string {
  const { project, region } = call.provider;
  const model = call.model.split('/').map(checked).join('/');
  const own = named(call, model, method);
  if (own !== undefined) return own;
  if (model.startsWith('projects/')) return `/${model}:${method}`;
  const path = model.startsWith('publishers/') ? model : `publishers/google/models/${geminiModel(model)}`;
  if (project === undefined || region === undefined) return `/${path}:${method}`;
  return `/projects/${checked(project)}/locations/${checked(region)}/${path}:${method}`;
}

/** The path of the provider's config, which holds the model's place as `{model}` and the method's as `{method}`. */
function named({ provider }: AdapterCall, model: string, method: string): string | undefined {
  return provider.path?.replaceAll('{model}', () => model).replaceAll('{method}', () => method);
}

function checked(segment: string): string {
  if (!SEGMENT.test(segment)) throw new UnsupportedRequestError('this provider knows no model of such a name');
  return segment;
}
