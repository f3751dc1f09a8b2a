import type { Danger } from './rule.ts';

const FILE =
  /(?:^|[/@=:])(?:\.env(?:\.(?!example|sample|template|dist|defaults?|schema)[\w.-]+)?|\.envrc|\.netrc|_netrc|\.npmrc|\.pypirc|\.git-credentials|\.pgpass|\.my\.cnf|\.htpasswd|credentials\.json|service-account[\w-]*\.json|secrets?\.(?:ya?ml|json|toml)|id_(?:rsa|dsa|ecdsa|ed25519)|[\w.-]+\.(?:pem|p12|pfx|key|keystore|jks|kdbx))$|\.(?:ssh|gnupg)\/(?!config$|known_hosts|authorized_keys|[\w.-]+\.pub$)|\.aws\/(?:credentials|sso|cli)|\.docker\/config\.json|\.kube\/config|\.config\/(?:gh\/hosts\.yml|gcloud\/)|\/etc\/(?:shadow|gshadow|sudoers)/;
const WHY = 'it shows keys or passwords to the model';

export const SECRETS: Danger = {
  instead:
    'Ask the person for the one value that is needed, name the variable instead of its value, or work with `.env.example`.',
  mayLoad: true,
  files: { pattern: FILE, tools: ['read', 'grep'], why: WHY },
  rules: [
    {
      command:
        'cat|tac|less|more|most|bat|head|tail|nl|strings|xxd|od|hexdump|base64|base32|awk|gawk|sed|cut|sort|uniq|jq|yq|python|python3|node|perl|ruby|openssl|gpg|diff|vi|vim|nano|emacs|view|tar|zip|gzip|7z|scp|rsync|sftp|curl|wget|nc|ncat|socat|pbcopy|xclip|xsel|wl-copy|aws s3 cp|gsutil|rclone|dd|tee|ssh-keygen|printf|echo|read|mapfile',
      word: FILE,
      noWord: /^(?:-[a-z]*l|-q|--quiet|-y)$|^--env-file|^(?:-keyout|genrsa|genpkey|x509|verify|s_client)$/,
      why: WHY,
    },
    {
      command: 'grep|egrep|fgrep|rg|ag',
      word: FILE,
      noWord: /^(?:-[a-z]*[lLqc]|--files-with(?:out)?-match(?:es)?|--count|--quiet|--silent)$/,
      why: WHY,
    },
    { command: 'cp|gcp|mv|gmv|ln|install', first: FILE, why: 'it copies keys or passwords' },
    { command: 'printenv', noWord: /^(?:PATH|HOME|USER|SHELL|LANG|PWD|TERM|EDITOR|NODE_ENV|CI)$/, why: WHY },
    {
      command: 'echo|printf',
      word: /\$\{?[A-Z0-9_]*(?:SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|CREDENTIALS?)[A-Z0-9_]*\}?(?![A-Z0-9_:])/,
      noWord: /\$\{[A-Z0-9_]+:[+?]/,
      why: WHY,
    },
    { command: 'gh auth|gh', first: /^token$/, why: WHY },
    { command: 'gcloud', word: /^print-(?:access|identity)-token$/, why: WHY },
    {
      command: 'aws configure',
      first: /^(?:get|export-credentials)$/,
      word: /secret|session_token|export-credentials/,
      why: WHY,
    },
    { command: 'aws secretsmanager|aws ssm', first: /^get-(?:secret-value|parameters?\S*)$/, why: WHY },
    { command: 'security', first: /^(?:find|dump)-/, why: WHY },
    { command: 'secret-tool', first: /^(?:lookup|search)$/, why: WHY },
    { command: 'pass', first: /^(?:show)$/, why: WHY },
    { command: 'op', first: /^(?:read|item|get)$/, why: WHY },
    { command: 'bw', first: /^get$/, why: WHY },
    { command: 'vault', first: /^(?:read|kv|print)$/, noWord: /^(?:list|put|metadata)$/, why: WHY },
    {
      command: 'kubectl get|oc get',
      first: /^secrets?(?:\/|$)/,
      word: /^-o|^--output|jsonpath|yaml|json/,
      why: WHY,
    },
    { command: 'git credential|git credential-store|git credential-cache', why: WHY },
    { command: 'npm token|npm config', first: /^(?:list|ls)$/, word: /^(?:-l|--long)$/, why: WHY },
    { command: 'heroku', word: /^config(?::get)?$/, why: WHY },
    { command: 'doppler|infisical|dotenvx', first: /^(?:secrets|get|export)$/, why: WHY },
  ],
};
