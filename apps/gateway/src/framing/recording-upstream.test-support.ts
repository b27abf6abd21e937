import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A request as it came, byte by byte. */
export interface RecordedRequest {
  readonly method: string;
  readonly target: string;
  /** Names in lower case and values by turns. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly trailers: readonly (readonly [name: string, value: string])[];
}

/** What an upstream that takes nothing but the strictest form of HTTP/1.1 has got. */
export interface RecordingUpstream extends AsyncDisposable {
  readonly url: string;
  /** Whole requests, in the order in which they ended. */
  readonly requests: RecordedRequest[];
  /** Bytes that are no request in the strictest form. */
  readonly malformed: string[];
}

interface Reading {
  readonly request: RecordedRequest;
  readonly rest: string;
}

const lineEnd = '\r\n';
const headEnd = '\r\n\r\n';

/**
 * Starts it. It reads for itself, so that it takes nothing for granted that the gateway's own reader does.
 * @param answer the bytes that answer a request
 */
export async function startRecordingUpstream(
  answer: (request: RecordedRequest) => string = () => 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
): Promise<RecordingUpstream> {
  const requests: RecordedRequest[] = [];
  const malformed: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let text = '';
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (let reading = read(text); reading !== undefined; reading = read(text)) {
        if (typeof reading === 'string') {
          malformed.push(`${reading}: ${text}`);
          socket.destroy();
          return;
        }
        text = reading.rest;
        requests.push(reading.request);
        socket.write(answer(reading.request), 'latin1');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    malformed,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The first request of a text; what is wrong with it; `undefined` while it is not whole. */
function read(text: string): Reading | string | undefined {
  const end = text.indexOf(headEnd);
  if (end < 0) return undefined;
  const [first = '', ...lines] = text.slice(0, end).split(lineEnd);
  const start = /^([A-Z]+) (\S+) HTTP\/1\.1$/.exec(first);
  if (start === null) return 'a first line of another form';
  const fields = fieldsOf(lines);
  if (typeof fields === 'string') return fields;
  const valuesOf = (name: string): readonly string[] =>
    fields.filter(([its]) => its === name).map(([, value]) => value);
  const [lengths, codings] = [valuesOf('content-length'), valuesOf('transfer-encoding')];
  if (lengths.length + codings.length > 1) return 'more than one length';
  if (codings.some((coding) => coding !== 'chunked')) return 'a coding that is not chunked';
  const after = text.slice(end + headEnd.length);
  const body = codings.length === 1 ? chunksOf(after) : bodyOf(after, lengths[0] ?? '0');
  if (typeof body !== 'object') return body;
  const [, method = '', target = ''] = start;
  return { request: { method, target, fields, body: body.text, trailers: body.trailers }, rest: body.rest };
}

type Fields = readonly (readonly [name: string, value: string])[];

function fieldsOf(lines: readonly string[]): Fields | string {
  const fields: [string, string][] = [];
  for (const line of lines) {
    const field = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([\t\u0020-\u007e\u0080-\u00ff]*)$/.exec(line);
    if (field === null) return `a field of another form, ${line}`;
    fields.push([(field[1] ?? '').toLowerCase(), field[2] ?? '']);
  }
  return fields;
}

interface Body {
  readonly text: string;
  readonly trailers: Fields;
  readonly rest: string;
}

function bodyOf(text: string, length: string): Body | string | undefined {
  if (!/^\d{1,9}$/.test(length)) return `a length of another form, ${length}`;
  const end = Number(length);
  return text.length < end ? undefined : { text: text.slice(0, end), trailers: [], rest: text.slice(end) };
}

function chunksOf(from: string): Body | string | undefined {
  let text = '';
  let rest = from;
  for (;;) {
    const lineAt = rest.indexOf(lineEnd);
    if (lineAt < 0) return undefined;
    const line = rest.slice(0, lineAt);
    if (!/^[0-9a-fA-F]{1,8}$/.test(line)) return `a chunk size of another form, ${line}`;
    const size = Number.parseInt(line, 16);
    if (size === 0) return trailersOf(text, rest.slice(lineAt));
    const dataEnd = lineAt + 2 + size;
    if (rest.length < dataEnd + 2) return undefined;
    if (rest.slice(dataEnd, dataEnd + 2) !== lineEnd) return 'a chunk that does not end where it said';
    text += rest.slice(lineAt + 2, dataEnd);
    rest = rest.slice(dataEnd + 2);
  }
}

/** @param from the end of the last chunk's line on */
function trailersOf(text: string, from: string): Body | string | undefined {
  const end = from.indexOf(headEnd);
  if (end < 0) return undefined;
  const trailers = fieldsOf(end === 0 ? [] : from.slice(2, end).split(lineEnd));
  return typeof trailers === 'string' ? trailers : { text, trailers, rest: from.slice(end + headEnd.length) };
}
