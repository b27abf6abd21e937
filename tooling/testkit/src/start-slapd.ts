import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { alternativeNames, generalName, makeAuthority, makeCertificate, type MadeCertificate } from './certificates.ts';
import { freePort } from './free-port.ts';
import { slapdConfig, slapdEntries, type DirectoryUser } from './slapd-files.ts';
import { startProcess, type RunningProcess } from './start-process.ts';
import { temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

export type { DirectoryUser } from './slapd-files.ts';

/** A running directory server. Disposing of it ends the process and deletes its files. */
export interface Slapd extends AsyncDisposable {
  /** `ldap://127.0.0.1:port`: plain, and StartTLS. */
  readonly url: string;
  /** `ldaps://127.0.0.1:port`. */
  readonly tlsUrl: string;
  readonly port: number;
  readonly tlsPort: number;
  /** PEM of the authority that signed the server's certificate, which is for `localhost` and `ldap.test`. */
  readonly caPem: string;
  /** Names of the users' parent entry: users are `uid=NAME,${usersDn}`. */
  readonly usersDn: string;
  /** How often a line of the server's log of operations matches, for instance `/ BIND dn=/`. */
  readonly logged: (pattern: RegExp) => number;
  readonly process: RunningProcess;
  /** Its files. */
  readonly folder: string;
}

/** Where Debian and others keep the server and its schema. */
const SLAPD = ['/usr/sbin/slapd', '/usr/lib/openldap/slapd'].find((path) => existsSync(path));
const SCHEMA = ['/etc/ldap/schema', '/etc/openldap/schema'].find((path) => existsSync(`${path}/core.schema`));

/** Whether a server can be started here. Tests that need one are skipped by name where it is not. */
export const hasSlapd: boolean = SLAPD !== undefined && SCHEMA !== undefined;

/**
 * Starts OpenLDAP's server on 127.0.0.1, with files of its own and on free ports, and adds the users below `ou=people,dc=example,dc=test`.
 * Users may read their own entry, and nobody anybody's password.
 * @throws Error where no server is installed, or with everything it printed when it does not start
 */
export async function startSlapd(users: readonly DirectoryUser[]): Promise<Slapd> {
  if (SLAPD === undefined || SCHEMA === undefined) throw new Error('slapd is not installed');
  const folder = await temporaryFolder();
  try {
    const authority = makeAuthority();
    await writeFiles(folder, SCHEMA, users, serverCertificate(authority));
    // `slapd -T add` is slapadd, without asking where that is installed.
    await run(SLAPD, ['-T', 'add', '-q', '-f', folder.join(CONFIG), '-l', folder.join(USERS)]);
    const { process, ports } = await listening(SLAPD, folder.join(CONFIG), TRIES_MAX);
    return slapdOf(process, folder, ports, authority.pem);
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

interface Ports {
  readonly plain: number;
  readonly tls: number;
}

interface Listening {
  readonly process: RunningProcess;
  readonly ports: Ports;
}

const TRIES_MAX = 3;

const run = promisify(execFile);

const CONFIG = 'slapd.conf';
const USERS = 'users.ldif';

function serverCertificate(issuer: MadeCertificate): MadeCertificate {
  const names = alternativeNames(generalName.dns('localhost'), generalName.dns('ldap.test'));
  return makeCertificate({ subject: 'Test directory', issuer, extensions: [names] });
}

async function writeFiles(
  folder: TemporaryFolder,
  schema: string,
  users: readonly DirectoryUser[],
  { pem, keyPem }: MadeCertificate,
): Promise<void> {
  await mkdir(folder.join('data'));
  await writeFile(folder.join('tls.pem'), pem);
  await writeFile(folder.join('tls.key'), keyPem);
  await writeFile(folder.join(CONFIG), slapdConfig(folder.path, schema));
  await writeFile(folder.join(USERS), slapdEntries(users));
}

/** A free port may be somebody else's before the server listens: others are tried then. */
async function listening(command: string, config: string, triesLeft: number): Promise<Listening> {
  const ports = { plain: await freePort(), tls: await freePort() };
  const urls = `ldap://127.0.0.1:${ports.plain}/ ldaps://127.0.0.1:${ports.tls}/`;
  try {
    // `-d stats` keeps the server in the foreground, and has it say each connection and operation. It says this once it listens.
    const process = await startProcess({
      command,
      args: ['-f', config, '-h', urls, '-d', 'stats'],
      readyWhen: ({ stderr }) => /slapd starting/.test(stderr()),
    });
    return { process, ports };
  } catch (error) {
    if (triesLeft === 1) throw error;
    return listening(command, config, triesLeft - 1);
  }
}

function slapdOf(process: RunningProcess, folder: TemporaryFolder, ports: Ports, caPem: string): Slapd {
  return {
    url: `ldap://127.0.0.1:${ports.plain}`,
    tlsUrl: `ldaps://127.0.0.1:${ports.tls}`,
    port: ports.plain,
    tlsPort: ports.tls,
    caPem,
    usersDn: 'ou=people,dc=example,dc=test',
    logged: (pattern) =>
      process
        .stderr()
        .split('\n')
        .filter((line) => pattern.test(line)).length,
    process,
    folder: folder.path,
    [Symbol.asyncDispose]: async () => {
      await process.kill();
      await folder.remove();
    },
  };
}
