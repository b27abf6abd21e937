import type { JsonObject } from '../../json.ts';
import type { AdapterCall } from '../adapter.ts';
import { requestJson } from '../chat-form/json-text.ts';
import { topLevelMembers } from './top-level-members.ts';

/** Members of a request that must be other than the client wrote them. */
export type BodyEdits = readonly (readonly [name: string, value: unknown])[];

/**
 * The request's body with some members set. Without edits the client's bytes go on. With them, the bytes around the edited members go on all
 * the same: numbers keep their digits, members their order, and large bodies are not written anew.
 * @throws UnsupportedRequestError for what is nested too deeply to be written
 */
export function editedBody(
  { body, bytes }: Pick<AdapterCall, 'body' | 'bytes'>,
  edits: BodyEdits,
): string | Uint8Array {
  const changed = edits.filter(([name, value]) => !(Object.hasOwn(body, name) && body[name] === value));
  if (bytes !== undefined) {
    const spliced = splicedBytes(bytes, changed);
    if (spliced !== undefined) return spliced;
  }
  return requestJson(changed.length === 0 ? body : withMembers(body, changed));
}

/** A copy with some members set; those that were there stay in their places. */
export function withMembers(body: JsonObject, members: BodyEdits): JsonObject {
  // Made of entries, because an assignment to `__proto__` would be none.
  return { ...body, ...Object.fromEntries(members) };
}

/** A part of the bytes, and what stands there afterwards. */
interface Cut {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function splicedBytes(bytes: Uint8Array, edits: BodyEdits): Uint8Array | undefined {
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const places = topLevelMembers(
    json,
    edits.map(([name]) => name),
  );
  if (places === undefined) return undefined;
  if (edits.length === 0) return bytes;
  const cuts: Cut[] = [];
  let added = '';
  for (const [index, [name, value]] of edits.entries()) {
    const place = places[index];
    if (place === undefined) added += `${JSON.stringify(name)}:${requestJson(value)},`;
    else cuts.push({ start: place.start, end: place.end, text: JSON.stringify(value) });
  }
  if (added !== '') {
    const start = json.indexOf(123) + 1;
    const isEmpty = cuts.length === 0 && hasNoMembers(json, start);
    cuts.push({ start, end: start, text: isEmpty ? added.slice(0, -1) : added });
  }
  return withCuts(
    json,
    cuts.toSorted((a, b) => a.start - b.start),
  );
}

/** The bytes with some parts written anew, in one piece of memory. @param cuts in their order */
function withCuts(json: Buffer, cuts: readonly Cut[]): Uint8Array {
  let length = json.length;
  for (const { start, end, text } of cuts) length += Buffer.byteLength(text) - (end - start);
  const written = Buffer.allocUnsafe(length);
  let from = 0;
  let to = 0;
  for (const { start, end, text } of cuts) {
    to += json.copy(written, to, from, start);
    to += written.write(text, to);
    from = end;
  }
  json.copy(written, to, from);
  return written;
}

function hasNoMembers(bytes: Uint8Array, start: number): boolean {
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 125) return true;
    if (byte !== 32 && byte !== 9 && byte !== 10 && byte !== 13) return false;
  }
  return true;
}
