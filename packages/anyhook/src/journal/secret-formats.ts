/**
 * Finds secrets by their format: secretlint's patterns and additional ones. A rule runs only where its
 * literal occurs and returns the range to redact. The text is scanned once, so the cost does not grow with
 * the number of rules.
 */

import { KEPT_PATTERNS } from './secret-patterns.ts';

export interface Span {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}
export interface SecretRule {
  /** At least three characters; lower case if `anyCase`. */
  readonly literal: string;
  readonly anyCase: boolean;
  /** A known value. Also searched inside of ranges that are already redacted, because it may be longer. */
  readonly exact?: true;
  /** `at` is the start of the literal. */
  readonly find: (text: string, at: number) => Span | undefined;
}

/**
 * Label, literals, and a pattern that matches from the start of the literal. A word may also start after a
 * literal `\n`, as in JSON. Redacts the whole match plus the group `b` before it, or only the group `s`.
 */
const tokens = (): readonly Row[] => [
  ['aws-key', 'AKIA ASIA ABIA ACCA', /[A-Z]{4}[A-Z0-9]{16}(?![A-Za-z0-9])/dy],
  ['github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', /gh[a-z]_\w{16,512}/dy],
  ['github-token', 'github_pat_', /github_pat_\w{16,512}/dy],
  [
    'gitlab-token',
    'glpat- gldt- glrt- glptt- glcbt- glft- glsoat- glagent- glimt- gloas-',
    /gl[a-z]+-[\w.-]{12,512}/dy,
  ],
  [
    'slack-token',
    'xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xapp-',
    /x[a-z]{3}-[\w%+/=-]{8,512}/dy,
  ],
  [
    'slack-webhook',
    'hooks.slack.com/',
    /hooks\.slack\.com\/(?<s>(?:services|workflows|triggers)\/[\w/-]{8,256})/dy,
  ],
  ['api-key', 'sk-', /(?<=^|[^A-Za-z0-9]|\\[nrtbf])sk-[\w-]{16,512}/dy],
  ['stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_', /[sr]k_(?:live|test)_\w{8,512}/dy],
  ['webhook-secret', 'whsec_', /whsec_[\w+/=-]{8,512}/dy],
  ['google-key', 'AIza', /AIza[\w-]{30,64}/dy],
  ['google-token', 'ya29.', /ya29\.[\w.-]{16,2048}/dy],
  ['google-secret', 'GOCSPX-', /GOCSPX-[\w-]{16,128}/dy],
  ['npm-token', 'npm_', /npm_[A-Za-z0-9]{30,128}/dy],
  ['pypi-token', 'pypi-', /pypi-[\w-]{32,512}/dy],
  ['jwt', 'eyJ', /(?<=^|[^\w-]|\\[nrtbf])eyJ[\w-]{6,8192}\.eyJ[\w-]{4,16384}(?:\.[\w-]{0,8192})?/dy],
  [
    'private-key',
    '-----BEGIN',
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/dy,
  ],
  ['private-key', 'xprv yprv zprv tprv', /[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,120}/dy],
  ['private-key', 'AGE-SECRET-KEY-1', /AGE-SECRET-KEY-1[A-Z0-9]{20,128}/dy],
  ['sendgrid-key', 'SG.', /(?<=^|[^A-Za-z0-9]|\\[nrtbf])SG\.[\w-]{16,64}\.[\w-]{16,128}/dy],
  ['digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', /do[por]_v1_[a-f0-9]{32,128}/dy],
  ['huggingface-token', 'hf_', /(?<=^|[^A-Za-z0-9]|\\[nrtbf])hf_[A-Za-z0-9]{30,64}/dy],
  [
    'api-key',
    'gsk_ xai- pplx- lin_api_ figd_ dckr_pat_ PMAK- NRAK- ntn_ r8_ fw_ tvly-',
    /[A-Za-z0-9]+[_-][\w-]{24,256}/dy,
  ],
  ['shopify-token', 'shpat_ shpss_ shpca_ shppa_', /shp[a-z]{2}_[a-fA-F0-9]{32}/dy],
  ['square-token', 'sq0csp- sq0atp-', /sq0[a-z]{3}-[\w-]{20,64}/dy],
  ['vault-token', 'hvs. hvb. hvr.', /hv[sbr]\.[\w-]{20,512}/dy],
  ['atlassian-token', 'ATATT3 ATCTT3', /AT[AC]TT3[\w=-]{20,512}/dy],
  ['databricks-token', 'dapi', /dapi[a-f0-9]{32}(?![A-Za-z0-9])/dy],
  ['azure-signature', '?sig= &sig=', /[?&]sig=(?<s>[\w%+/=-]{8,256})/dy],
  ['azure-secret', '0Q~ 1Q~ 2Q~ 3Q~ 4Q~ 5Q~ 6Q~ 7Q~ 8Q~ 9Q~', /\dQ~[\w~.-]{31,34}/dy],
  ['doppler-token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', /dp\.[a-z]+\.[\w.-]{24,256}/dy],
  ['supabase-token', 'sbp_ sb_secret_', /sbp?_(?:secret_)?[\w-]{20,128}/dy],
  ['terraform-token', '.atlasv1.', /(?<=(?<b>[A-Za-z0-9]{8,14}))\.atlasv1\.[\w-]{40,128}/dy],
  ['planetscale-token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', /pscale_[a-z]+_[\w.=-]{24,128}/dy],
  ['pulumi-token', 'pul-', /(?<=^|[^A-Za-z0-9]|\\[nrtbf])pul-[a-f0-9]{40}/dy],
  ['sentry-token', 'sntrys_ sntryu_', /sntry[su]_[\w+/=-]{32,512}/dy],
  ['mailgun-key', 'key-', /(?<=^|[^A-Za-z0-9-]|\\[nrtbf])key-[a-f0-9]{32}(?![A-Za-z0-9])/dy],
  ['brevo-key', 'xkeysib- xsmtpsib-', /x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}/dy],
  ['discord-webhook', '/api/webhooks/', /\/api\/webhooks\/\d{10,24}\/(?<s>[\w-]{40,128})/dy],
  ['heroku-key', 'HRKU-', /HRKU-[\w-]{36,128}/dy],
  ['fly-token', 'fm2_ fm1r_ fm1a_', /fm\d[a-z]?_[\w+/=,-]{40,2048}/dy],
  ['1password-token', 'ops_eyJ', /ops_eyJ[\w+/=-]{40,4096}/dy],
  ['api-key', 'lsv2_ ddp_ cfut_ cfat_', /[a-z0-9]{3,4}_[\w-]{32,256}/dy],
  ['confluent-secret', 'cflt', /(?<=^|[^A-Za-z0-9]|\\[nrtbf])cflt(?=[\w+/]{0,55}\d)[\w+/]{56,64}/dy],
  ['fly-token', 'FlyV1 ', /FlyV1 (?<s>fm\d[a-z]?_[\w+/=,-]{40,2048})/dy],
  ['rubygems-key', 'rubygems_', /rubygems_[a-f0-9]{48}/dy],
  ['airtable-token', 'pat', /(?<=^|[^A-Za-z0-9]|\\[nrtbf])pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/dy],
  ['neon-key', 'napi_', /napi_[a-z0-9]{40,128}/dy],
  ['dynatrace-token', 'dt0c01. dt0s01. dt0s16.', /dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}/dy],
  ['facebook-token', 'EAA', /(?<=^|[^A-Za-z0-9+/]|\\[nrtbf])EAA[A-Za-z0-9]{80,512}/dy],
  [
    'twilio-key',
    'SK0 SK1 SK2 SK3 SK4 SK5 SK6 SK7 SK8 SK9 SKa SKb SKc SKd SKe SKf',
    /SK[a-f0-9]{32}(?![A-Za-z0-9])/dy,
  ],
  [
    'api-key',
    'rnd_ re_ tfp_ pnu_ rdme_ aio_ glsoat- CFPAT- LTAI fio-u- shippo_live_ EZAK',
    /(?<=^|[^A-Za-z0-9]|\\[nrtbf])[A-Za-z]+[\w-]*[_-]?(?=[A-Za-z_-]*\d)[\w-]{24,256}/dy,
  ],
  ['pgpass', ':5432: :3306:', /:\d{4}:[\w*.-]{1,128}:[\w.-]{1,128}:(?<s>[^\s:@/]{1,256})(?=\s|$)/dy],
  ['telegram-token', ':AA', /(?<=(?<b>\d{8,10})):AA[\w-]{30,40}/dy],
];

const inAnyCase = (): readonly Row[] => [
  ['bearer', 'bearer', /bearer\s{1,4}(?<s>(?=[\w.~+/=-]{0,64}\d|[\w.~+/=-]{20})[\w.~+/=-]{6,8192})/diy],
  ['password', '://', /:\/\/[^\s/?#:@"'`<>\\]{0,256}:(?<s>(?!\[redacted)[^\s/?#"'`<>\\]{1,1024})@/diy],
  ['password', '://', /:\/\/(?<s>(?!\[redacted)[^\s/?#:@"'`<>\\]{16,512})@/diy],
  [
    'password',
    '--user --proxy-user',
    /--(?:proxy-)?user[\s=]{1,4}["']?[^\s:"']{1,128}:(?<s>(?!\d+\b|\[redacted|\$)[^\s"']{1,512})/diy,
  ],
];

/** Built for the first record, because there are hundreds of rules and most programs never write one. */
export const formats = (): readonly SecretRule[] => [
  ...tokens().flatMap((row) => rulesOf(row, false)),
  ...KEPT_PATTERNS.flatMap(([label, literals, source, flags]) => {
    const anyCase = flags.includes('i');
    const pattern = () => new RegExp(source, `${flags}dy`);
    return rulesOf([label, anyCase ? literals.toLowerCase() : literals, pattern], anyCase);
  }),
  ...inAnyCase().flatMap((row) => rulesOf(row, true)),
];

/** A pattern given as a function is compiled when its literal is first found. */
type Row = readonly [label: string, literals: string, pattern: RegExp | (() => RegExp)];
export function rulesOf([label, literals, pattern]: Row, anyCase: boolean): SecretRule[] {
  let made = typeof pattern === 'function' ? undefined : pattern;
  const find = (text: string, at: number): Span | undefined => {
    made ??= (pattern as () => RegExp)();
    made.lastIndex = at;
    const match = made.exec(text);
    if (match === null) return undefined;
    const { s, b } = match.indices?.groups ?? {};
    const [from, to] = s ?? [b?.[0] ?? at, made.lastIndex];
    return { from, to, label };
  };
  return literals.split(' ').map((literal) => ({ literal, anyCase, find }));
}
