import {
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  status,
  Client,
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';

const bytes = { serialize: (value: Buffer): Buffer => value, deserialize: (value: Buffer): Buffer => value };

function method(name: string, requestStream: boolean, responseStream: boolean): ServiceDefinition[string] {
  return {
    path: `/test.Echo/${name}`,
    requestStream,
    responseStream,
    requestSerialize: bytes.serialize,
    requestDeserialize: bytes.deserialize,
    responseSerialize: bytes.serialize,
    responseDeserialize: bytes.deserialize,
  };
}

/** Paths of the service that the tests call. Its messages are bytes. */
export const echo = {
  unary: method('Unary', false, false),
  collect: method('Collect', true, false),
  count: method('Count', false, true),
  chat: method('Chat', true, true),
} as const;

/** What a server noted of the calls that clients gave up. */
export interface GrpcUpstream extends AsyncDisposable {
  readonly port: number;
  readonly cancelled: string[];
}

const unary: handleUnaryCall<Buffer, Buffer> = (call, callback) => {
  const wanted = call.request.toString();
  const trailers = new Metadata();
  trailers.set('x-trailer', 'behind');
  if (wanted === 'fail') callback({ code: status.FAILED_PRECONDITION, details: 'no: ünfit', metadata: trailers });
  else if (wanted !== 'never') {
    const header = new Metadata();
    header.set('x-head', String(call.metadata.get('x-sent')[0]));
    call.sendMetadata(header);
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
  if (wanted >= 0) call.end();
};

const chat: handleBidiStreamingCall<Buffer, Buffer> = (call) => {
  call.on('data', (message: Buffer) => call.write(Buffer.concat([Buffer.from('> '), message])));
  call.on('end', () => call.end());
};

interface Noted {
  on(event: 'cancelled', listener: () => void): unknown;
  getPath(): string;
}

/** Starts a real gRPC server. */
export async function startGrpcUpstream(): Promise<GrpcUpstream> {
  const server = new Server({ 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 });
  const cancelled: string[] = [];
  const note = (call: Noted): void => void call.on('cancelled', () => cancelled.push(call.getPath()));
  server.addService(echo, {
    unary: (call: Parameters<typeof unary>[0], callback: Parameters<typeof unary>[1]) => {
      note(call);
      unary(call, callback);
    },
    collect,
    count,
    chat: (call: Parameters<typeof chat>[0]) => {
      note(call);
      chat(call);
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  return { port, cancelled, [Symbol.asyncDispose]: async () => server.forceShutdown() };
}

/** A client of the service behind a port; its own limits are off. */
export function grpcClient(port: number): Client & Disposable {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
  });
  return Object.assign(client, { [Symbol.dispose]: () => client.close() });
}

/** A route for gRPC to a service. */
export function grpcRoute(port: number, service: Record<string, unknown> = {}): Resources {
  return {
    services: [{ id: 's', name: 's', url: `grpc://127.0.0.1:${port}`, ...service }],
    routes: [
      { id: 'r', name: 'r', service_id: 's', paths: ['/test.Echo'], strip_path: false, protocols: ['grpc', 'grpcs'] },
    ],
  };
}
