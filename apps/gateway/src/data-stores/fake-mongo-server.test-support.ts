import { createServer, type AddressInfo, type Socket } from 'node:net';
import { BSON } from 'mongodb';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER_BYTES = 16;

/** What a server is asked: the command's document, with its lists. */
export type Command = Readonly<Record<string, unknown>>;

/** A server that speaks MongoDB's wire protocol as far as a driver needs to connect. Commands are the test's to answer. */
export interface FakeMongoServer extends AsyncDisposable {
  readonly port: number;
  /** But those by which drivers find out what it is. */
  readonly commands: Command[];
  /** Cuts all connections; it goes on listening. */
  cut(): void;
}

/** Answers to one command; `undefined` for none at all. */
export type Answering = (command: Command) => object | undefined;

/** Source: MongoDB, wire protocol. */
export async function startFakeMongoServer(answer: Answering): Promise<FakeMongoServer> {
  const commands: Command[] = [];
  const sockets = new Set<Socket>();
  const hear = (command: Command): object | undefined => {
    const [name = ''] = Object.keys(command);
    if (/^(?:hello|isMaster|ismaster)$/.test(name)) return greeting;
    if (/^(?:endSessions|ping)$/.test(name)) return { ok: 1 };
    commands.push(command);
    return answer(command);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    let held = Buffer.alloc(0);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      held = Buffer.concat([held, bytes]);
      while (held.length >= HEADER_BYTES && held.length >= held.readInt32LE(0)) {
        const length = held.readInt32LE(0);
        const reply = replyTo(held.subarray(0, length), hear);
        held = held.subarray(length);
        if (reply !== undefined) socket.write(reply);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    commands,
    cut,
    [Symbol.asyncDispose]: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const greeting = {
  ...{ ismaster: true, isWritablePrimary: true, helloOk: true, maxBsonObjectSize: 16_777_216, ok: 1 },
  ...{ maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000, minWireVersion: 0, maxWireVersion: 25 },
};

function replyTo(message: Buffer, hear: (command: Command) => object | undefined): Buffer | undefined {
  const id = message.readInt32LE(4);
  const operation = message.readInt32LE(12);
  if (operation === OP_QUERY) {
    const start = message.indexOf(0, HEADER_BYTES + 4) + 1 + 8;
    const said = hear(BSON.deserialize(message.subarray(start)));
    // Flags, cursor, start and number of documents.
    return (
      said &&
      framed(id, OP_REPLY, [Buffer.from('0800000000000000000000000000000001000000', 'hex'), BSON.serialize(said)])
    );
  }
  if (operation !== OP_MSG) throw new Error(`no operation ${operation}`);
  const said = hear(commandOf(message));
  return said && framed(id, OP_MSG, [Buffer.alloc(5), BSON.serialize(said)]);
}

/** The sections of a message as one document. */
function commandOf(message: Buffer): Command {
  let command: Command = {};
  for (let at = HEADER_BYTES + 4; at < message.length;) {
    const isList = message[at] === 1;
    const length = message.readInt32LE(at + 1);
    const section = message.subarray(at + 1, at + 1 + length);
    at += 1 + length;
    if (!isList) command = { ...BSON.deserialize(section), ...command };
    else {
      const nameEnd = section.indexOf(0, 4);
      const documents: unknown[] = [];
      for (let place = nameEnd + 1; place < length; place += section.readInt32LE(place)) {
        documents.push(BSON.deserialize(section.subarray(place, place + section.readInt32LE(place))));
      }
      command = { ...command, [section.toString('utf8', 4, nameEnd)]: documents };
    }
  }
  return command;
}

function framed(respondsTo: number, operation: number, parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + body.length, 0);
  header.writeInt32LE(respondsTo, 8);
  header.writeInt32LE(operation, 12);
  return Buffer.concat([header, body]);
}
