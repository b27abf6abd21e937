import type { Admin, AdminAnswer } from './admin.ts';
import type { Canaries } from './canaries.ts';
import type { SecretRecord } from './canary-records.ts';

/** The administration API, and what of it is looked at. */
export interface Exercise {
  readonly admin: Admin;
  readonly canaries: Canaries;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Streams never end, and data planes get what others may not see: both are looked at elsewhere. */
const readElsewhere = /\/live$|\/data-plane\//;

/**
 * Reads every operation of a description that is a GET, with every ID that is known for its parameters.
 * @param ids of path parameters; a parameter without any is asked for as `unknown`
 * @returns the operations that nothing answered with 200
 */
export async function readEverything(
  { admin, canaries }: Exercise,
  description: Description,
  ids: Readonly<Record<string, readonly string[]>>,
): Promise<readonly string[]> {
  const unanswered: string[] = [];
  for (const path of Object.keys(description.paths).filter((one) => !readElsewhere.test(one))) {
    if (description.paths[path]?.['get'] === undefined) continue;
    let isAnswered = false;
    for (const filled of filledIn(path, ids)) {
      const answer = await admin.call('GET', `${filled}${filled.includes('?') ? '&' : '?'}${page}`);
      look(canaries, `read GET ${path}`, answer);
      isAnswered ||= answer.status === 200;
    }
    if (!isAnswered) unanswered.push(path);
  }
  return unanswered;
}

const page = 'tenant_id=acme';

function filledIn(path: string, ids: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const parameter = /\{(\w+)\}/.exec(path);
  if (parameter === null) return [path];
  const known = ids[parameter[1] ?? ''] ?? ['unknown'];
  return known.flatMap((id) => filledIn(path.replace(parameter[0], encodeURIComponent(id)), ids));
}

/** Looks at all of an answer. */
export function look(canaries: Canaries, place: string, answer: AdminAnswer, allowed: readonly string[] = []): void {
  const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  canaries.look(place, `${answer.status} ${JSON.stringify([...answer.headers])} ${body}`, allowed);
}

/**
 * Writes that fail with a record's secrets in them, and writes that send its masks back.
 * @returns what was answered otherwise than it should, to be compared with nothing
 */
export async function writeAgain({ admin, canaries }: Exercise, record: SecretRecord): Promise<readonly string[]> {
  const { collection, body, id, shown } = record;
  const wrong: string[] = [];
  const send = async (
    status: number,
    what: string,
    method: string,
    path: string,
    sent: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => {
    const answer = await admin.call(method, path, sent, headers);
    look(canaries, `failing writes: ${what} of ${record.name}`, answer);
    if (answer.status !== status)
      wrong.push(`${what} of ${record.name}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  const at = `${collection}/${id}`;
  // Certificates say which names point to them: since then another does.
  const { snis: _names, ...masked } = shown;
  const texts = [...record.secrets.values()];
  await send(422, 'an unknown field', 'POST', collection, { ...body, no_such_field: texts });
  await send(422, 'a wrong shape', 'POST', collection, reshaped(body, texts));
  await send(422, 'secrets as labels', 'POST', collection, { ...body, labels: { kept: texts } });
  await send(422, 'a secret as an ID', 'POST', collection, { ...body, id: `/${texts.join('/')}` });
  await send(409, 'the same ID again', 'POST', collection, { ...body, id });
  await send(412, 'an old revision', 'PATCH', at, changeable(body), { 'if-match': '"0"' });
  await send(400, 'half a document', 'POST', collection, JSON.stringify(body).slice(0, -1));
  await send(400, 'a document with two values', 'POST', collection, `${JSON.stringify(body)}${JSON.stringify(texts)}`);
  await send(415, 'another type', 'POST', collection, JSON.stringify(body), { 'content-type': 'text/plain' });
  await send(404, 'no such record', 'PATCH', `${collection}/unknown`, changeable(body));
  await send(200, 'its own masks', 'PATCH', at, masked);
  await send(200, 'its own secrets', 'PATCH', at, changeable(body));
  return wrong;
}

/** What of a record may be sent in a change: not what was set for good. */
function changeable(body: SecretRecord['body']): object {
  const { type: _type, consumer_id: _consumer, ...rest } = body;
  return rest;
}

/** Every secret as an item of a list in a list, which no field takes. */
function reshaped(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return secrets.some((secret) => value.includes(secret)) ? [[value]] : value;
  if (Array.isArray(value)) return value.map((item) => reshaped(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, reshaped(item, secrets)]));
}
