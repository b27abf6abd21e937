import type { BodySide } from '../shared/bodies/body-problems.ts';
import type { CrossFieldIssue } from '../shared/config-rules.ts';
import { compileTemplate, type Template } from './template.ts';

/** The fields of a config that say which templates there are. */
export interface TemplateSettings {
  readonly template?: string | undefined;
  readonly templates?: { readonly request?: string | undefined; readonly response?: string | undefined } | undefined;
  readonly request_template?: string | undefined;
  readonly response_template?: string | undefined;
  readonly content_type?: string | undefined;
  readonly request_content_type?: string | undefined;
  readonly response_content_type?: string | undefined;
  readonly target: BodySide | 'both';
}

/** The templates of a config, and what is wrong with them. */
export interface CompiledTemplates {
  readonly request?: Template;
  readonly response?: Template;
  readonly issues: readonly CrossFieldIssue[];
}

/** The templates that are written for one side alone. */
export function templateFields(
  settings: TemplateSettings,
): readonly { readonly field: string; readonly side: BodySide }[] {
  return [
    ...(settings.request_template === undefined ? [] : [{ field: 'request_template', side: 'request' } as const]),
    ...(settings.response_template === undefined ? [] : [{ field: 'response_template', side: 'response' } as const]),
    ...(settings.templates?.request === undefined ? [] : [{ field: 'templates', side: 'request' } as const]),
    ...(settings.templates?.response === undefined ? [] : [{ field: 'templates', side: 'response' } as const]),
  ];
}

/** Compiles the templates that count: those of a side before `template`, which is for all sides that `target` names. */
export function compileTemplates(settings: TemplateSettings): CompiledTemplates {
  const issues: CrossFieldIssue[] = [];
  const of = (side: BodySide): Template | undefined => {
    const found = settings.target === 'both' || settings.target === side ? chosen(settings, side) : undefined;
    if (found === undefined) return undefined;
    const compiled = compileTemplate(found.text, side, settings[`${side}_content_type`] ?? settings.content_type);
    if (typeof compiled !== 'string') return compiled;
    // One for both sides that reads the response is for responses.
    const isOfResponses = side === 'request' && found.field === 'template' && settings.target === 'both';
    if (isOfResponses && typeof compileTemplate(found.text, 'response') !== 'string') return undefined;
    issues.push({ field: found.field, message: compiled });
    return undefined;
  };
  const [request, response] = [of('request'), of('response')];
  return { ...(request && { request }), ...(response && { response }), issues };
}

function chosen(
  settings: TemplateSettings,
  side: BodySide,
): { readonly field: string; readonly text: string } | undefined {
  const field = `${side}_template` as const;
  const own = settings[field];
  if (own !== undefined) return { field, text: own };
  const listed = settings.templates?.[side];
  if (listed !== undefined) return { field: 'templates', text: listed };
  return settings.template === undefined ? undefined : { field: 'template', text: settings.template };
}
