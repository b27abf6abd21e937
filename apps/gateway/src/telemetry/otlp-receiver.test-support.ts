import { gunzipSync } from 'node:zlib';
import { startUpstream } from '@portcullis/testkit';
import { bytesOf, messagesOf, numberOf, readMessage, textOf, type Message } from './protobuf-reader.test-support.ts';

/** A span as a collector reads it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly instance: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly state: string;
  readonly name: string;
  /** 2 server, 3 client. */
  readonly kind: number;
  readonly startNs: number;
  readonly endNs: number;
  /** 2 error. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** A metric as a collector reads it. */
export interface ReceivedMetric {
  readonly instance: string;
  readonly name: string;
  readonly unit: string;
  readonly kind: 'gauge' | 'sum' | 'histogram';
  readonly points: readonly {
    readonly attributes: Readonly<Record<string, string | number>>;
    readonly value: number;
    /** Of histograms. */
    readonly count: number;
    readonly counts: readonly number[];
    readonly bounds: readonly number[];
  }[];
}

/** A collector: OTLP/HTTP in protobuf, on a real socket. */
export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string;
  /** Answers with it from now on. */
  status: number;
  /** Header lines of the calls. */
  readonly headers: readonly Readonly<Record<string, unknown>>[];
  spans(): readonly ReceivedSpan[];
  metrics(): readonly ReceivedMetric[];
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: { readonly path: string; readonly body: Buffer }[] = [];
  const headers: Record<string, unknown>[] = [];
  const server = await startUpstream({
    stream: (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        headers.push(req.headers);
        const body = Buffer.concat(chunks);
        const plain = req.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
        if (receiver.status === 200) bodies.push({ path: req.url ?? '', body: plain });
        res.writeHead(receiver.status, { 'content-type': 'application/x-protobuf' }).end();
      });
    },
  });
  const read = <Item>(path: string, itemsOf: (resource: Message) => readonly Item[]): readonly Item[] =>
    bodies
      .filter((one) => one.path === path)
      .flatMap(({ body }) => messagesOf(readMessage(body), 1).flatMap((resource) => itemsOf(resource)));
  const receiver: OtlpReceiver = {
    url: server.url,
    status: 200,
    headers,
    spans: () => read('/v1/traces', spansOf),
    metrics: () => read('/v1/metrics', metricsOf),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return receiver;
}

function spansOf(resourceSpans: Message): readonly ReceivedSpan[] {
  const resource = resourceOf(resourceSpans);
  return messagesOf(resourceSpans, 2).flatMap((scope) =>
    messagesOf(scope, 2).map((span) => ({
      service: String(resource['service.name']),
      instance: String(resource['service.instance.id']),
      traceId: hexOf(span, 1),
      spanId: hexOf(span, 2),
      state: textOf(span, 3),
      parentId: hexOf(span, 4),
      name: textOf(span, 5),
      kind: numberOf(span, 6),
      startNs: numberOf(span, 7),
      endNs: numberOf(span, 8),
      attributes: attributesOf(span, 9),
      status: messagesOf(span, 15).map((status) => numberOf(status, 3))[0] ?? 0,
    })),
  );
}

function metricsOf(resourceMetrics: Message): readonly ReceivedMetric[] {
  const instance = String(resourceOf(resourceMetrics)['service.instance.id']);
  return messagesOf(resourceMetrics, 2).flatMap((scope) =>
    messagesOf(scope, 2).map((metric) => {
      const [field, kind] = metric.has(5)
        ? ([5, 'gauge'] as const)
        : metric.has(7)
          ? ([7, 'sum'] as const)
          : ([9, 'histogram'] as const);
      const points = messagesOf(metric, field).flatMap((data) => messagesOf(data, 1));
      const isHistogram = kind === 'histogram';
      return {
        ...{ instance, kind, name: textOf(metric, 1), unit: textOf(metric, 3) },
        points: points.map((point) => ({
          attributes: attributesOf(point, isHistogram ? 9 : 7),
          value: bytesOf(point, isHistogram ? 5 : 4)[0]?.readDoubleLE() ?? numberOf(point, 6),
          count: isHistogram ? numberOf(point, 4) : 0,
          counts: isHistogram ? eights(point, 6).map((bytes) => Number(bytes.readBigUInt64LE())) : [],
          bounds: isHistogram ? eights(point, 7).map((bytes) => bytes.readDoubleLE()) : [],
        })),
      };
    }),
  );
}

function resourceOf(message: Message): Readonly<Record<string, string | number>> {
  const [resource] = messagesOf(message, 1);
  return resource === undefined ? {} : attributesOf(resource, 1);
}

function attributesOf(message: Message, field: number): Readonly<Record<string, string | number>> {
  const pairs = messagesOf(message, field).map((pair): [string, string | number] => {
    const [value] = messagesOf(pair, 2);
    if (value === undefined) return [textOf(pair, 1), ''];
    if (value.has(1)) return [textOf(pair, 1), textOf(value, 1)];
    return [textOf(pair, 1), value.has(4) ? (bytesOf(value, 4)[0]?.readDoubleLE() ?? 0) : numberOf(value, 3)];
  });
  return Object.fromEntries(pairs);
}

function hexOf(message: Message, field: number): string {
  return bytesOf(message, field)[0]?.toString('hex') ?? '';
}

/** The parts of a packed field, each of eight bytes. */
function eights(message: Message, field: number): readonly Buffer[] {
  const bytes = Buffer.concat([...bytesOf(message, field)]);
  return Array.from({ length: bytes.length / 8 }, (_, at) => bytes.subarray(at * 8, at * 8 + 8));
}
