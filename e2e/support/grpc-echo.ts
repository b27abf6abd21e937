import {
  type Client,
  Metadata,
  Server,
  ServerCredentials,
  makeClientConstructor,
  status,
  type CallOptions,
  type ChannelCredentials,
  type ClientDuplexStream,
  type ClientReadableStream,
  type ClientUnaryCall,
  type ClientWritableStream,
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type ServiceDefinition,
  type ServiceError,
  type StatusObject,
} from '@grpc/grpc-js';

const asIs = (value: Buffer): Buffer => value;

function method(name: string, requestStream: boolean, responseStream: boolean): ServiceDefinition[string] {
  return {
    path: `/e2e.Echo/${name}`,
    requestStream,
    responseStream,
    requestSerialize: asIs,
    requestDeserialize: asIs,
    responseSerialize: asIs,
    responseDeserialize: asIs,
  };
}

const definition = {
  unary: method('Unary', false, false),
  collect: method('Collect', true, false),
  count: method('Count', false, true),
  chat: method('Chat', true, true),
} as const;

type Answered = (error: ServiceError | null, message?: Buffer) => void;

/** A client of the service; its messages are bytes. */
export interface EchoClient extends Client, Disposable {
  unary(message: Buffer, metadata: Metadata, options: CallOptions, answered: Answered): ClientUnaryCall;
  collect(metadata: Metadata, answered: Answered): ClientWritableStream<Buffer>;
  count(message: Buffer, metadata: Metadata): ClientReadableStream<Buffer>;
  chat(metadata: Metadata): ClientDuplexStream<Buffer, Buffer>;
}

/** Where the service is, and how it is spoken to. */
export interface EchoPlace {
  readonly address: string;
  readonly credentials: ChannelCredentials;
}

/** A client of the service. */
export function echo({ address, credentials }: EchoPlace): EchoClient {
  const client = new (makeClientConstructor(definition, 'e2e.Echo'))(address, credentials);
  return Object.assign(client, { [Symbol.dispose]: () => client.close() }) as unknown as EchoClient;
}

const unary: handleUnaryCall<Buffer, Buffer> = (call, callback) => {
  const wanted = call.request.toString();
  const trailers = new Metadata();
  trailers.set('x-trailer', 'behind');
  if (wanted === 'fail') callback({ code: status.FAILED_PRECONDITION, details: 'no: ünfit', metadata: trailers });
  else if (wanted !== 'never') {
    const head = new Metadata();
    head.set('x-head', String(call.metadata.get('x-sent')[0]));
    call.sendMetadata(head);
    callback(null, call.request, trailers);
  }
};

const collect: handleClientStreamingCall<Buffer, Buffer> = (call, callback) => {
  let length = 0;
  call.on('data', (message: Buffer) => (length += message.length));
  call.on('end', () => callback(null, Buffer.from(String(length))));
};

const count: handleServerStreamingCall<Buffer, Buffer> = (call) => {
  const wanted = Number(call.request.toString());
  for (let turn = 0; turn < wanted; turn += 1) call.write(Buffer.from(String(turn)));
  call.end();
};

const chat: handleBidiStreamingCall<Buffer, Buffer> = (call) => {
  call.on('data', (message: Buffer) => call.write(Buffer.concat([Buffer.from('> '), message])));
  call.on('end', () => call.end());
};

/** A real gRPC server. */
export interface GrpcServer extends AsyncDisposable {
  readonly port: number;
  /** How many unary calls were given up. */
  readonly cancelled: () => number;
}

/** Starts it on a free port. */
export async function startGrpcServer(): Promise<GrpcServer> {
  const server = new Server();
  let cancelled = 0;
  const noted: handleUnaryCall<Buffer, Buffer> = (call, callback) => {
    call.on('cancelled', () => (cancelled += 1));
    unary(call, callback);
  };
  server.addService(definition, { unary: noted, collect, count, chat });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  return { port, cancelled: () => cancelled, [Symbol.asyncDispose]: async () => server.forceShutdown() };
}

/** How a unary call ended. */
export interface UnaryEnd {
  readonly message: string | undefined;
  readonly code: number;
  readonly details: string;
  readonly head: Readonly<Record<string, unknown>>;
  readonly trailers: Readonly<Record<string, unknown>>;
}

/** Makes a unary call and waits for all of its parts. */
export async function unaryOf(
  client: EchoClient,
  message: string,
  metadata: Metadata,
  options: CallOptions = {},
): Promise<UnaryEnd> {
  let head: Readonly<Record<string, unknown>> = {};
  let answer: string | undefined;
  const end = await new Promise<StatusObject>((resolve) => {
    const call = client.unary(Buffer.from(message), metadata, options, (_error, bytes) => (answer = bytes?.toString()));
    call.on('metadata', (fields: Metadata) => (head = fields.getMap()));
    call.on('status', resolve);
  });
  const { code, details } = end;
  return { message: answer, code, details, head, trailers: end.metadata.getMap() };
}

/** Sends messages in one stream. @returns the one answer */
export async function collected(client: EchoClient, messages: readonly string[], metadata: Metadata): Promise<string> {
  return await new Promise((resolve, reject) => {
    const call = client.collect(metadata, (error, answer) => {
      if (error === null) resolve(String(answer));
      else reject(error);
    });
    for (const message of messages) call.write(Buffer.from(message));
    call.end();
  });
}

/** Sends each message when the one before is answered. @returns the answers */
export async function bidi(
  client: EchoClient,
  messages: readonly string[],
  metadata: Metadata,
): Promise<readonly string[]> {
  const answers: string[] = [];
  const call = client.chat(metadata);
  await new Promise<void>((resolve, reject) => {
    const next = (): void => {
      const message = messages[answers.length];
      if (message === undefined) call.end();
      else call.write(Buffer.from(message));
    };
    call.on('data', (answer: Buffer) => {
      answers.push(answer.toString());
      next();
    });
    call.on('end', resolve);
    call.on('error', reject);
    next();
  });
  return answers;
}
