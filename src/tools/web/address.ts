// Which addresses are nobody's business: private networks, this machine, metadata services, and all that only looks public.
import { BlockList, isIP } from 'node:net';
import picomatch from 'picomatch';

/* https://www.iana.org/assignments/iana-ipv4-special-registry and -ipv6-special-registry */
const PRIVATE_4 = listOf('ipv4', [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24',
  '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4',
  // Azure's metadata answers on a public address.
  '168.63.129.16/32',
]);
/* Of the only block that is handed out to the world, what is not: protocols (Teredo, ORCHID), examples. */
const PUBLIC_6 = listOf('ipv6', ['2000::/3']);
const PRIVATE_6 = listOf('ipv6', ['2001::/23', '2001:db8::/32', '3fff::/20']);
/* Addresses that stand for an IPv4 address, and the group at which that begins. */
const CARRIERS = [
  { list: listOf('ipv6', ['::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96']), at: 6 },
  { list: listOf('ipv6', ['2002::/16']), at: 1 },
];

function listOf(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/** Whether an IP address (no name) may be reached by anybody who can make the model ask for it. What can't be read is not public. */
export function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4: return !PRIVATE_4.check(address, 'ipv4');
    case 6: {
      // A zone names an interface of this machine.
      if (address.includes('%')) return false;
      const carrier = CARRIERS.find(({ list }) => list.check(address, 'ipv6'));
      if (carrier) return isPublic(carriedBy(address, carrier.at));
      return PUBLIC_6.check(address, 'ipv6') && !PRIVATE_6.check(address, 'ipv6');
    }
    default: return false;
  }
}

/** The IPv4 address in the two groups from `at` on. */
function carriedBy(address: string, at: number): string {
  // The platform spells the last two groups in hexadecimal.
  const spelled = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = spelled.split('::');
  const [first, last] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const groups = tail === undefined ? (first ?? []) : [...(first ?? []), ...Array.from<string>({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }).fill('0'), ...(last ?? [])];
  return groups.slice(at, at + 2).flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.');
}

/** The host of a URL without the brackets of an IPv6 address and the dot of the root. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Whether the configuration lets the host be private. `allowed` are globs of hosts, with a port where only that one is meant: `localhost:3000`, `*.internal`, `[::1]:8080`. */
export function isAllowed(url: URL, allowed: readonly string[]): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return allowed.filter((entry) => entry.trim() !== '').some((entry) => {
    const text = entry.trim().toLowerCase();
    const [, glob = text, only = '*'] = isIP(text) ? [] : (/^(.*?)(?::(\d+|\*))?$/.exec(text) ?? []);
    const host = glob.replace(/^\[|\]$/g, '');
    return (host === hostOf(url) || picomatch.isMatch(hostOf(url), host, { dot: true, nonegate: true })) && (only === '*' || only === port);
  });
}
