/** Classifies addresses that a hook wants to reach. Works on bits, so the notation does not matter. */

import { isIPv4, isIPv6 } from 'node:net';

export type AddressKind = 'public' | 'private' | 'loopback' | 'forbidden';

/**
 * `forbidden`: link-local, metadata services, multicast, unspecified, reserved. No legitimate hook is there.
 */
export function addressKind(address: string): AddressKind {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIPv4(plain)) return kindOf(bits4(plain), RANGES_4);
  if (!isIPv6(plain)) return 'forbidden';
  const bits = bits6(plain);
  const inner = embedded(bits);
  return inner === undefined ? kindOf(bits, RANGES_6) : kindOf(inner, RANGES_4);
}

interface Range {
  readonly bits: string;
  readonly kind: AddressKind;
}

const kindOf = (bits: string, ranges: readonly Range[]): AddressKind =>
  ranges.find((range) => bits.startsWith(range.bits))?.kind ?? 'public';

const bits4 = (address: string): string =>
  address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('');

function bits6(address: string): string {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  const text = dotted === null ? address : dotted[1]! + groupsOf(bits4(dotted[2]!));
  const [head = '', tail] = text.split('::');
  const groups = (part: string) => part.split(':').filter(Boolean);
  const [before, after] = [groups(head), groups(tail ?? '')];
  const gap = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...gap, ...after]
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
    .join('');
}
const groupsOf = (bits: string): string =>
  [bits.slice(0, 16), bits.slice(16)].map((half) => Number.parseInt(half, 2).toString(16)).join(':');

/**
 * Returns the IPv4 address that an IPv6 address stands for: mapped, compatible, translated (NAT64), tunnelled
 * (6to4, Teredo).
 */
function embedded(bits: string): string | undefined {
  const low = bits.slice(96);
  if (bits.startsWith(ZERO_80 + ONES_16)) return low; // ::ffff:a.b.c.d
  if (bits.startsWith(ZERO_64 + ONES_16 + '0'.repeat(16))) return low; // ::ffff:0:a.b.c.d
  if (bits.startsWith(NAT64) || bits.startsWith(NAT64_LOCAL)) return low;
  if (bits.startsWith(SIX_TO_FOUR)) return bits.slice(16, 48);
  if (bits.startsWith(TEREDO)) return low.replaceAll(/[01]/g, (bit) => (bit === '0' ? '1' : '0'));
  if (bits.startsWith('0'.repeat(96)) && !/^0*1?$/.test(low)) return low; // ::a.b.c.d, but not :: and ::1
  return undefined;
}
const [ZERO_64, ZERO_80, ONES_16] = ['0'.repeat(64), '0'.repeat(80), '1'.repeat(16)];
const prefix6 = (address: string, length: number): string => bits6(address).slice(0, length);
const NAT64 = prefix6('64:ff9b::', 96);
const NAT64_LOCAL = prefix6('64:ff9b:1::', 48);
const SIX_TO_FOUR = prefix6('2002::', 16);
const TEREDO = prefix6('2001::', 32);

const range4 = (cidr: string, kind: AddressKind): Range => {
  const [address = '', length] = cidr.split('/');
  return { bits: bits4(address).slice(0, Number(length)), kind };
};
const range6 = (cidr: string, kind: AddressKind): Range => {
  const [address = '', length] = cidr.split('/');
  return { bits: prefix6(address, Number(length)), kind };
};

/** The first match counts, so services that hand out credentials come before their range. */
const RANGES_4: readonly Range[] = [
  range4('169.254.0.0/16', 'forbidden'), // link-local; 169.254.169.254 and 169.254.170.2 hand out credentials
  range4('100.100.100.200/32', 'forbidden'), // Alibaba's metadata
  range4('168.63.129.16/32', 'forbidden'), // Azure's host
  range4('192.0.0.192/32', 'forbidden'), // Oracle's metadata
  range4('0.0.0.0/8', 'forbidden'),
  range4('224.0.0.0/4', 'forbidden'),
  range4('240.0.0.0/4', 'forbidden'),
  range4('127.0.0.0/8', 'loopback'),
  range4('10.0.0.0/8', 'private'),
  range4('172.16.0.0/12', 'private'),
  range4('192.168.0.0/16', 'private'),
  range4('100.64.0.0/10', 'private'),
  range4('198.18.0.0/15', 'private'),
  range4('192.0.0.0/24', 'private'),
];
const RANGES_6: readonly Range[] = [
  range6('fd00:ec2::254/128', 'forbidden'), // Amazon's metadata
  range6('fd20:ce::254/128', 'forbidden'), // Google's metadata
  range6('::/128', 'forbidden'),
  range6('::1/128', 'loopback'),
  range6('fe80::/10', 'forbidden'),
  range6('fec0::/10', 'private'),
  range6('fc00::/7', 'private'),
  range6('ff00::/8', 'forbidden'),
];
