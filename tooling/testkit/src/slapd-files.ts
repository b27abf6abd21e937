/** A person in the directory. */
export interface DirectoryUser {
  /** Value of `uid`, which also names the entry. */
  readonly uid: string;
  readonly password: string;
  /** Further attributes of an `inetOrgPerson`; `cn` and `sn` have defaults. */
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>;
}

/** The server's configuration: one database, below the folder that also has the server's certificate and key. */
export function slapdConfig(folder: string, schema: string): string {
  return `
include ${schema}/core.schema
include ${schema}/cosine.schema
include ${schema}/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${folder}/slapd.pid
argsfile ${folder}/slapd.args
TLSCertificateFile ${folder}/tls.pem
TLSCertificateKeyFile ${folder}/tls.key
database mdb
suffix "dc=example,dc=test"
directory ${folder}/data
dbnosync
access to attrs=userPassword by anonymous auth
access to * by self read
`;
}

/** The users as LDIF. Source: RFC 2849. */
export function slapdEntries(users: readonly DirectoryUser[]): string {
  const parents = [
    { dn: 'dc=example,dc=test', lines: ['objectClass: domain', 'dc: example'] },
    { dn: 'ou=people,dc=example,dc=test', lines: ['objectClass: organizationalUnit', 'ou: people'] },
  ];
  const people = users.map(({ uid, password, attributes = {} }) => ({
    dn: `uid=${hexEscaped(uid)},ou=people,dc=example,dc=test`,
    lines: [
      'objectClass: inetOrgPerson',
      ...Object.entries({ cn: 'Somebody', sn: 'Somebody', ...attributes, uid, userPassword: password }).flatMap(
        ([name, values]) => [values].flat().map((value) => line(name, value)),
      ),
    ],
  }));
  return [...parents, ...people].map(({ dn, lines }) => [line('dn', dn), ...lines, ''].join('\n')).join('\n');
}

/** Base64 carries any value. */
function line(name: string, value: string): string {
  return `${name}:: ${Buffer.from(value).toString('base64')}`;
}

/** Every octet escaped: the test kit has no opinion on which have to be. Source: RFC 4514, section 2.4. */
function hexEscaped(value: string): string {
  return [...Buffer.from(value)].map((octet) => `\\${octet.toString(16).padStart(2, '0')}`).join('');
}
