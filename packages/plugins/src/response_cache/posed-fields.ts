import type { HeaderView } from '@portcullis/plugin-runtime';

/**
 * What a request claims about its own address: services build links of it, and some take the request for another one. Answers are told
 * apart by it, or whoever sends such a field could have his answer given to everybody. Empty, or lines that begin with a line break.
 *
 * The client's address (`X-Forwarded-For` and the like, `for` and `by` of `Forwarded`) does not count: a service that answers by it has to say
 * so in `Vary`. Source: RFC 7239; the fields that proxies, frameworks and their middleware are known to read.
 */
export function posedFields(headers: HeaderView): string {
  let lines = '';
  headers.forEach((name, value) => {
    const first = name.charCodeAt(0) | 0x20;
    // Most fields begin with neither x nor f nor hold the word.
    if (first !== X && !FORWARDED.test(name)) return;
    const lower = name.toLowerCase();
    if (!POSING.test(lower) || OF_THE_CLIENT.test(lower)) return;
    lines += `\n${lower}:${lower === 'forwarded' ? withoutParties(value) : value}`;
  });
  return lines;
}

const X = 'x'.charCodeAt(0);

const FORWARDED = /forwarded|^front-end/i;

const POSING =
  /^(?:front-end-.*|.*forwarded.*|x-(?:.*-)?(?:original|orig|rewrite|override|http|invoke|script|middleware)(?:-.*)?|x-(?:.*-)?(?:host|hostname|port|path|prefix|uri|url|scheme|proto|protocol|method|ssl|https|server|base))$/;

const OF_THE_CLIENT = /-(?:for|ip|address)$/;

/** `Forwarded` without who the parties are. What is not written plainly stays: services read it in many ways. */
function withoutParties(value: string): string {
  return value
    .split(/([,;])/)
    .filter((part) => !PARTY.test(part))
    .join('');
}

const PARTY = /^\s*(?:for|by)=(?:[\w.-]+|"[\w.:[\]-]+")\s*$/i;
