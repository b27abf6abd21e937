/** A media type of a description. */
export interface MediaType {
  /** As it is sent: lower-case type, parameters as they are written. */
  readonly text: string;
  /** Without parameters. */
  readonly name: string;
  /** Whether it stands for several. */
  readonly isRange: boolean;
}

/** Characters of a media type with its parameters. */
const mediaTypeLengthMax = 256;

/** Takes a media type apart; nothing for what cannot stand in a header. Source: RFC 9110, 8.3.1. */
export function parseMediaType(given: string): MediaType | undefined {
  if (given.length > mediaTypeLengthMax) return undefined;
  const found = /^\s*([\w!#$&^.+*-]+\/[\w!#$&^.+*-]+)\s*((?:;[ -~]*)?)$/.exec(given);
  const name = found?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  return { text: `${name}${found?.[2]?.trimEnd() ?? ''}`, name, isRange: name.includes('*') };
}

export function isJsonMedia(name: string): boolean {
  return /^(?:application|text)\/(?:[\w.+-]+\+)?json(?:;|$)/.test(name);
}

/** What is text for whoever calls: known as such by its name. */
export function isTextMedia(name: string): boolean {
  return (
    name.startsWith('text/') ||
    /^application\/(?:[\w.+-]+\+)?(?:xml|yaml|x-yaml|x-ndjson|jsonl|json-seq|javascript|graphql)$/.test(name)
  );
}
