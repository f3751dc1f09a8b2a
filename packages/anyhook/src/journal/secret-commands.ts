/** Finds secrets by their command line or file format: `curl -u me:…`, `sshpass -p …`, a netrc. */

import { type SecretRule, rulesOf } from './secret-formats.ts';
import { secrecyOf } from './secret-names.ts';

/** What may appear between a program and its password option within one command. */
const ARGS = '[^\\n|;&]{0,240}?';
/** A word, quoted or not, but not a variable, which is only the name of a secret. */
const WORD = '(?:\\\\{0,3}["\'])?(?<s>(?!\\$|\\[redacted|-)[^\\s"\'\\\\|;&<>]{1,512})';
const rule = (label: string, literals: string, rest: string): SecretRule[] =>
  rulesOf([label, literals, () => new RegExp(rest, 'dy')], false);

/** Program → the option that precedes or contains its password. */
const OPTIONS: readonly (readonly [programs: string, option: string])[] = [
  ['sshpass', '-p ?'],
  [
    'docker login|podman login|helm registry login|az login|buildah login|oras login',
    '(?:-p|--password)[ =]',
  ],
  ['mysql|mysqldump|mysqladmin|mariadb', '-p(?! )'],
  ['redis-cli', '-a '],
  ['mongosh|mongo |mongodump|mongorestore', '-p '],
  ['ldapsearch|ldapadd|ldapmodify|ldapwhoami', '-w '],
  ['sqlcmd|bcp ', '-P ?'],
  ['unzip|zip ', '(?:-P |--password )'],
  ['7z |7za ', '-p(?! )'],
  ['openssl', '-pass(?:in|out)? pass:'],
  ['openssl enc', '-k '],
  ['wget', '--(?:http-|ftp-|proxy-)?password[= ]'],
  ['snowsql|clickhouse-client|cqlsh|influx ', '(?:-p|--password)[ =]'],
  ['htpasswd', '-[a-zA-Z]*b[a-zA-Z]* \\S{1,256} \\S{1,128} '],
  ['smbclient|smbmap|rpcclient', '-U ?[^\\s%]{1,128}%'],
  ['pulumi config set', '--secret [\\w.:-]{1,128} '],
  ['gh secret set', '(?:-b|--body)[ =]'],
  ['keytool|jarsigner', '-(?:store|key)pass '],
  ['gpg', '--passphrase[ =]'],
  ['vault login', '(?:token=)?'],
  ['net use', '/user:\\S{1,128} '],
  ['lftp', '-u ?[^\\s,"\']{1,128},'],
  ['mosquitto_pub|mosquitto_sub', '(?:-P|--pw) '],
  ['useradd|usermod', '(?:-p|--password)[ =]'],
  ['nmcli', 'password '],
];

const CREDENTIALS = '-(?:u|U|-user|-proxy-user)[ =]?(?:\\\\{0,3}["\'])?[^\\s:"\'$\\\\]{1,128}:';

export const secretCommands = (): readonly SecretRule[] => [
  ...OPTIONS.flatMap(([programs, option]) =>
    programs
      .split('|')
      .flatMap((program) => rule('password', program, `${program.trimEnd()}${ARGS}[ \\t]${option}${WORD}`)),
  ),
  ...rule('password', 'curl', `curl${ARGS}[ \\t]${CREDENTIALS}(?<s>(?!\\$|\\[redacted)[^\\s"'\\\\]{1,512})`),
  ...rule('password', 'wpa_passphrase', `wpa_passphrase[ \\t]{1,4}\\S{1,128}[ \\t]{1,4}${WORD}`),
  // A word that is piped or passed to a program that reads a password.
  ...rule(
    'password',
    'echo ',
    `echo (?:-n )?${WORD}(?:\\\\{0,3}["'])?\\s{0,4}\\|\\s{0,4}(?:sudo${ARGS} -\\w{0,8}S|(?:sudo )?chpasswd|passwd(?![\\w-])|pass insert|(?:docker|podman|gh|npm|az|helm)${ARGS}login)`,
  ),
  ...rule(
    'password',
    '--with-token --password-stdin',
    `--(?:with-token|password-stdin)${ARGS}<<<\\s?${WORD}`,
  ),
  ...rule(
    'cookie',
    'curl',
    `curl${ARGS}[ \\t](?:-b|--cookie)[ =]?(?:\\\\{0,3}["'])?[^\\s="';]{1,64}=(?<s>(?!\\$|\\[redacted)[^\\s"';\\\\]{8,1024})`,
  ),
  ...rule(
    'password',
    'machine',
    'machine\\s{1,4}\\S{1,256}(?:\\s{1,4}(?:login|account)\\s{1,4}\\S{1,256}){1,2}\\s{1,4}password\\s{1,4}(?<s>(?!\\[redacted)[^\\s"\'\\\\]{1,512})',
  ),
  ...rule(
    'putty-key',
    'Private-Lines: ',
    'Private-Lines: \\d{1,4}\\r?\\n(?<s>[A-Za-z0-9+/=\\r\\n]{40,16384})',
  ),
  { literal: ' set ', anyCase: false, find: findSetting },
];

const SETTING =
  /\sset\s{1,4}(?:-{1,2}[\w-]{1,32}\s{1,4}){0,3}(?<name>[\w.:/@-]{3,200})\s{1,4}(?:\\{0,3}["'])?(?<s>[^\s"'\\|;&<>]{1,1024})/dy;

/**
 * `aws configure set aws_secret_access_key …`, `npm config set //host/:_authToken …`: the last part of the
 * name decides.
 */
function findSetting(text: string, at: number): ReturnType<SecretRule['find']> {
  SETTING.lastIndex = at;
  const found = SETTING.exec(text);
  const { name = '', s = '' } = found?.groups ?? {};
  const last = name.split(/[.:/]/).at(-1)!;
  if (secrecyOf(last) !== 'secret' || /^(?:\$|\[redacted|-|(?:true|false|null)$)/.test(s)) return undefined;
  const [from, to] = found!.indices!.groups!['s']!;
  return { from, to, label: last.toLowerCase().slice(0, 32) };
}
