import { isName } from './reference.ts';

/** Names of the variables that each tenant may read, by tenant ID. */
export type EnvAllow = ReadonlyMap<string, ReadonlySet<string>>;

/** The list, or what is wrong with it. */
export type EnvAllowOutcome = { readonly allow: EnvAllow } | { readonly mistake: string };

/** Characters of the list. */
export const ENV_ALLOW_LENGTH_MAX = 65_536;

/** Variables of the product itself: tokens and keys of whole systems are among them. */
const OWN_PREFIX = 'PORTCULLIS_';

/**
 * Reads the operator's list of variables, `acme:OPENAI_KEY,JUDGE_KEY;globex:OPENAI_KEY`. Names count as they are: no patterns.
 * Source: decisions, 19.
 */
export function parseEnvAllow(text: string): EnvAllowOutcome {
  if (text.length > ENV_ALLOW_LENGTH_MAX) return { mistake: `has more than ${ENV_ALLOW_LENGTH_MAX} characters` };
  const allow = new Map<string, ReadonlySet<string>>();
  for (const entry of text.split(';').map((part) => part.trim())) {
    if (entry === '') continue;
    const [tenant = '', list, ...more] = entry.split(':').map((part) => part.trim());
    if (list === undefined || more.length > 0 || !isName(tenant)) {
      return { mistake: 'must read tenant:NAME,NAME;tenant:NAME' };
    }
    const names = list.split(',').map((name) => name.trim());
    if (!names.every(isVariableName)) return { mistake: `has something else than names of variables for ${tenant}` };
    if (names.some((name) => name.toUpperCase().startsWith(OWN_PREFIX))) {
      return { mistake: `lists a variable ${OWN_PREFIX}… for ${tenant}: those are the gateway's own` };
    }
    if (allow.has(tenant)) return { mistake: `has ${tenant} twice` };
    allow.set(tenant, new Set(names));
  }
  return { allow };
}

/** Whether a text can be the name of a variable. */
export function isVariableName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,255}$/.test(text);
}
