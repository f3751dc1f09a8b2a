import { describe, expect, test } from 'vitest';
import { addressKind } from './address.ts';
import { httpTargetOf } from './index.ts';

/** Eighty ways to write or hide an address, with the real target and whether the request is sent. */
const FORMS: readonly (readonly [url: string, said: 'sent' | 'private' | 'refused'])[] = [
  // Public names and addresses
  ['http://example.com/hook', 'sent'],
  ['https://example.com:8443/hook?x=1#y', 'sent'],
  ['https://EXAMPLE.com./hook', 'sent'],
  ['https://93.184.216.34/', 'sent'],
  ['https://[2606:2800:220:1:248:1893:25c8:1946]/', 'sent'],
  ['https://xn--bcher-kva.example/', 'sent'],
  ['https://localhost.example.com/', 'sent'],
  ['http://169.254.example.com/', 'sent'],
  // Loopback, in every notation
  ['http://localhost:3000/hook', 'sent'],
  ['http://127.0.0.1:3000/hook', 'sent'],
  ['http://127.1/', 'sent'],
  ['http://127.0.1/', 'sent'],
  ['http://0x7f.1/', 'sent'],
  ['http://0x7f000001/', 'sent'],
  ['http://2130706433/', 'sent'],
  ['http://0177.0.0.1/', 'sent'],
  ['http://017700000001/', 'sent'],
  ['http://127.255.255.254/', 'sent'],
  ['http://[::1]:3000/', 'sent'],
  ['http://[0:0:0:0:0:0:0:1]/', 'sent'],
  ['http://[::ffff:127.0.0.1]/', 'sent'],
  // Private networks: for the user and for trusted projects
  ['http://10.0.0.1/', 'private'],
  ['http://10.1/', 'private'],
  ['http://0xa000001/', 'private'],
  ['http://012.0.0.1/', 'private'],
  ['http://172.16.0.1/', 'private'],
  ['http://172.31.255.255/', 'private'],
  ['http://172.32.0.1/', 'sent'],
  ['http://192.168.1.1/', 'private'],
  ['http://0xc0a80101/', 'private'],
  ['http://3232235777/', 'private'],
  ['http://100.64.0.1/', 'private'],
  ['http://198.18.0.1/', 'private'],
  ['http://[fc00::1]/', 'private'],
  ['http://[fd12:3456:789a::1]/', 'private'],
  ['http://[fec0::1]/', 'private'],
  ['http://[::ffff:10.0.0.1]/', 'private'],
  ['http://[::ffff:c0a8:101]/', 'private'],
  ['http://[64:ff9b::10.0.0.1]/', 'private'],
  ['http://[2002:a00:1::]/', 'private'],
  // Metadata services and link-local addresses, in every notation
  ['http://169.254.169.254/latest/meta-data/', 'refused'],
  ['http://169.254.169.254:80/', 'refused'],
  ['http://169.254.170.2/v2/credentials', 'refused'],
  ['http://169.254.0.1/', 'refused'],
  ['http://2852039166/', 'refused'],
  ['http://0xa9fea9fe/', 'refused'],
  ['http://0xA9.0xFE.0xA9.0xFE/', 'refused'],
  ['http://0251.0376.0251.0376/', 'refused'],
  ['http://025177524776/', 'refused'],
  ['http://169.254.43518/', 'refused'],
  ['http://169.16689662/', 'refused'],
  ['http://0xa9.254.0251.254/', 'refused'],
  ['http://169.254.169.254./', 'refused'],
  ['http://169。254。169。254/', 'refused'],
  ['http://①⑥⑨.254.169.254/', 'refused'],
  ['http://%31%36%39.254.169.254/', 'refused'],
  ['http://[::ffff:169.254.169.254]/', 'refused'],
  ['http://[::ffff:a9fe:a9fe]/', 'refused'],
  ['http://[0:0:0:0:0:ffff:a9fe:a9fe]/', 'refused'],
  ['http://[::169.254.169.254]/', 'refused'],
  ['http://[::ffff:0:169.254.169.254]/', 'refused'],
  ['http://[64:ff9b::a9fe:a9fe]/', 'refused'],
  ['http://[64:ff9b:1::a9fe:a9fe]/', 'refused'],
  ['http://[2002:a9fe:a9fe::1]/', 'refused'],
  ['http://[2001:0:1:2:3:4:5601:5601]/', 'refused'],
  ['http://[fe80::1]/', 'refused'],
  ['http://[febf::1]/', 'refused'],
  ['http://[fd00:ec2::254]/', 'refused'],
  ['http://[fd00:0ec2:0:0:0:0:0:254]/', 'refused'],
  ['http://[fd20:ce::254]/', 'refused'],
  ['http://100.100.100.200/', 'refused'],
  ['http://168.63.129.16/', 'refused'],
  ['http://192.0.0.192/', 'refused'],
  // Reserved addresses
  ['http://0.0.0.0/', 'refused'],
  ['http://0/', 'refused'],
  ['http://[::]/', 'refused'],
  ['http://224.0.0.1/', 'refused'],
  ['http://255.255.255.255/', 'refused'],
  ['http://[ff02::1]/', 'refused'],
  // Not addresses
  ['http://user:secret@example.com/', 'refused'],
  ['http://example.com@169.254.169.254/', 'refused'],
  ['http://user@127.0.0.1/', 'refused'],
  ['file:///etc/passwd', 'refused'],
  ['ftp://example.com/', 'refused'],
  ['gopher://127.0.0.1:6379/', 'refused'],
  ['ws://127.0.0.1/', 'refused'],
  ['javascript:alert(1)', 'refused'],
  ['data:application/json,{}', 'refused'],
  ['//example.com/', 'refused'],
  ['example.com/hook', 'refused'],
  ['http://', 'refused'],
  ['http://1.2.3.4.5/', 'refused'],
  ['http://256.1.1.1/', 'refused'],
  ['', 'refused'],
];

describe('where a hook may be sent', () => {
  test('the table has at least eighty entries', () => expect(FORMS.length).toBeGreaterThanOrEqual(80));

  test.each(FORMS)('%s is %s', (url, said) => {
    const reached = (['public', 'private'] as const).map((reach) => httpTargetOf(url, reach).ok);
    expect(reached).toEqual({ sent: [true, true], private: [false, true], refused: [false, false] }[said]);
  });

  test("control: a check of the URL's text alone would accept notations of the metadata address", () => {
    const naive = (url: string) => !url.includes('169.254.169.254');
    const slipped = FORMS.filter(([url, said]) => said === 'refused' && /254|a9fe|0xa9|285203/i.test(url));
    expect(slipped.some(([url]) => naive(url))).toBe(true);
  });

  test('text that is not an address is forbidden', () => {
    expect(['', 'x', '1.2.3', 'fe80::1%eth0', '1.2.3.4'].map(addressKind)).toEqual([
      'forbidden',
      'forbidden',
      'forbidden',
      'forbidden',
      'public',
    ]);
  });
});
