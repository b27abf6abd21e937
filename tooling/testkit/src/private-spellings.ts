/** Ways to write an address that must not be called. */
export interface Spelling {
  /** A whole address of a call. */
  readonly url: string;
  /** The host of it, where that can stand alone. */
  readonly host?: string;
}

/** Loopback, private, link-local, metadata and shared addresses. */
const targets = [
  '127.0.0.1',
  '127.0.0.2',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '168.63.129.16',
];

const sixes = [
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '::0001',
  '::',
  '0::0',
  'fe80::1',
  'FE80::1',
  'fe80::a9fe:a9fe',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'FD00:0EC2:0:0:0:0:0:254',
  'fd20:ce::254',
  'ff02::1',
  '100::1',
  '2001:db8::1',
  '2001:2::1',
  '2001:20::1',
  '3fff::1',
  '5f00::1',
  '4000::1',
];

const names = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ｌocalhost',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'loc\u00adalhost',
  'a.localhost',
  'localhost.localdomain',
  '127.0.0.1.names.test',
  'metadata.google.internal',
  'ip6-localhost',
];

/** Every spelling, on one port. Names are to be resolved by a stub: they lead where the stub says. */
export function privateSpellings(port: number): readonly Spelling[] {
  const hosts = [
    ...targets.flatMap((target) => [...versionFour(target), ...versionSix(target).map((six) => `[${six}]`)]),
    ...sixes.map((six) => `[${six}]`),
    ...sixes.slice(0, 4).map((six) => `[${six}%25lo]`),
    ...names,
  ];
  const bareSixes = [...sixes, ...sixes.slice(0, 8).map((six) => `${six}%lo`), ...targets.flatMap(versionSix)];
  return [
    ...hosts.map((host) => ({ host, url: `http://${host}:${port}/` })),
    ...bareSixes.map((host) => ({ host, url: `http://[${host}]:${port}/` })),
    ...targets.flatMap((target) => tricks(target, port).map((url) => ({ url }))),
  ];
}

function versionFour(target: string): readonly string[] {
  const bytes = target.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number): string => `0x${value.toString(16)}`;
  const octal = (value: number): string => `0${value.toString(8)}`;
  const plain = [
    target,
    `${whole}`,
    hex(whole),
    hex(whole).toUpperCase(),
    octal(whole),
    bytes.map(hex).join('.'),
    bytes.map((byte) => `0x${byte.toString(16).padStart(8, '0')}`).join('.'),
    bytes.map(octal).join('.'),
    bytes.map((byte) => `000${byte.toString(8).padStart(3, '0')}`).join('.'),
    `${a}.${hex(b)}.${octal(c)}.${d}`,
    `${hex(a)}.${b}.${octal(c * 256 + d)}`,
    `${octal(a)}.${hex((b * 256 + c) * 256 + d)}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${hex(a)}.${hex(b)}.${hex(c * 256 + d)}`,
  ];
  return [
    ...plain,
    ...plain.map((text) => `${text}.`),
    inDigits(target, 0xff10),
    inDigits(target, 0x1d7ce),
    inDigits(target, 0x1d7f6),
    inDigits(`${whole}`, 0xff10),
    target.replace(/\d/g, (digit) => (digit === '0' ? '⓪' : String.fromCodePoint(0x245f + Number(digit)))),
    target.replaceAll('.', '。'),
    target.replaceAll('.', '．'),
    target.replaceAll('.', '｡'),
    inDigits(target.replaceAll('.', '。'), 0xff10),
    percent(target),
    percent(`${whole}`),
    target.replaceAll('.', '%2e'),
    target.replaceAll('.', '%E3%80%82'),
    percent(percent(target)),
    `${target}%00`,
    `${target}%2e`,
  ];
}

/** IPv6 addresses that stand for an IPv4 address. */
function versionSix(target: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = target.split('.').map(Number);
  const group = (high: number, low: number): string => (high * 256 + low).toString(16);
  const [high, low] = [group(a, b), group(c, d)];
  return [
    `::ffff:${target}`,
    `::FFFF:${high}:${low}`,
    `0:0:0:0:0:ffff:${target}`,
    `::${target}`,
    `::ffff:0:${target}`,
    `64:ff9b::${target}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1::${target}`,
    `64:ff9b:1:${high}:${group(0, c)}:${group(d, 0)}::`,
    `2002:${high}:${low}::1`,
    `2002:${high}:${low}:1::`,
    `2001:0:${high}:${low}::1`,
    `2001:0:808:808:0:0:${group(255 - a, 255 - b)}:${group(255 - c, 255 - d)}`,
    `fe80::5efe:${target}`,
    `2606:4700::5efe:${target}`,
    `2606:4700::200:5efe:${target}`,
  ];
}

/** What programs read in different ways. */
function tricks(target: string, port: number): readonly string[] {
  const place = `${target}:${port}`;
  return [
    `http://public.test@${place}/`,
    `http://public.test:80@${place}/`,
    `http://user:word@${place}/`,
    `http://:@${place}/`,
    `http://public.test#@${place}/`,
    `http://public.test\\@${place}/`,
    `http:\\\\${place}\\`,
    `http:${place}/`,
    `http:/${place}/`,
    `http:///${place}/`,
    `//${place}/`,
    `${place}/`,
    ` http://${place}/`,
    `http://${place}/\n`,
    `ht\ttp://${place}/`,
    `http://${target.slice(0, 1)}\t${target.slice(1)}:${port}/`,
    `http://\u200b${place}/`,
    `HTTP://${place}/`,
    `https://${place}/`,
    `ftp://${place}/`,
    `file://${target}/etc/passwd`,
    `gopher://${place}/_x`,
    `ws://${place}/`,
    `unix:${place}`,
    `http://[${target}]:${port}/`,
    `http://${place}:80/`,
    `http://${target}:0${port}/`,
    `http://${target},public.test:${port}/`,
    `http://${target}%20public.test:${port}/`,
    `http://${target}..:${port}/`,
  ];
}

function inDigits(text: string, zero: number): string {
  return text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
}

function percent(text: string): string {
  return text.replace(/./gs, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
