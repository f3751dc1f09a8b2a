import { DELETE_REQUEST, type Danger } from './rule.ts';

const GONE = 'it deletes what no copy is kept of';
const KEPT = 'it deletes data that containers keep';
const DRY =
  /^(?:--dry-?run(?:=.*)?|--dryrun|-n|--no-?op|--plan|--preview|--what-?if|-WhatIf|--generate-cli-skeleton)$/i;
/** Verbs by which the API of a service deletes something. */
const VERB =
  /^(?:delete|destroy|remove|rm|purge|terminate|teardown|nuke|wipe|erase|reset|drop|undeploy|decommission|empty|(?:delete|destroy|remove|purge|terminate|batch-delete|deregister|schedule-key-deletion|empty|revoke)[-:]\S+|\S+:(?:delete|destroy|remove|purge|reset|rm|uninstall))$/i;

export const CLOUD: Danger = {
  instead:
    'Show what would be deleted (`terraform plan -destroy`, `kubectl delete --dry-run=server`, `aws s3 rm --dryrun`) and let the person do it.',
  rules: [
    { command: 'aws s3 rm|aws s3 rb', with: ['recursive|force'], without: ['dryrun'], why: GONE },
    { command: 'aws s3 rb', without: ['dryrun'], why: GONE },
    {
      command: 'aws s3 sync|aws s3',
      first: /^(?:sync|s3:|\.|\/|[\w.-]+\/?)/,
      word: /^--delete$/,
      without: ['dryrun'],
      why: GONE,
    },
    {
      command: 'aws',
      word: /^(?:delete|terminate|purge|deregister|batch-delete|schedule-key-deletion|remove-\w+|empty)(?:-\S+)?$/,
      noWord: /^(?:--dry-run|--dryrun|help|--help)$/,
      why: GONE,
    },
    {
      command: 'gcloud|gsutil|bq',
      isBroad: true,
      word: /^(?:delete|destroy|purge|rm|rb)$/,
      // Deletes nothing without a name.
      last: /^(?!(?:delete|destroy|purge|rm|rb)$)[^\\\s]/,
      noWord: /^(?:--help|--dry-run|-n|sets?|lists?|describe)$/,
      why: GONE,
    },
    { command: 'gsutil', operand: /^(?:rm|rb)$/, why: GONE },
    { command: 'gsutil', operand: /^rsync$/, with: ['d'], without: ['n'], why: GONE },
    { command: 'gcloud', first: /^(?:projects|sql)$/, word: /^delete$/, why: GONE },
    {
      command: 'gcloud',
      operand: /^(?:instances|disks|clusters)$/,
      word: /^delete$/,
      first: /^(?:compute|container)$/,
      why: GONE,
    },
    { command: 'gcloud', word: /^rm$/, operand: /^gs:\/\//, why: GONE },
    { command: 'bq', first: /^rm$/, why: GONE },
    {
      command: 'az|azd|func',
      word: /^(?:delete|purge|down|delete-batch|delete-source)$/,
      noWord: /^(?:--help|-h|--dryrun|list|show)$/,
      why: GONE,
    },
    { command: 'azcopy', first: /^(?:remove|rm)$/, noWord: DRY, why: GONE },
    { command: 'azcopy', first: /^sync$/, word: /^--delete-destination=true$/, noWord: DRY, why: GONE },
    {
      command:
        'doctl|linode-cli|hcloud|scw|vultr-cli|ibmcloud|oci|exo|upctl|civo|ovhcloud|yc|aliyun|tccli|eksctl|kops|kind|k3d|minikube|gardenctl|rosa|ocm',
      word: VERB,
      noWord: /^(?:--help|-h|--dry-run(?:=.*)?|list|get|ls|describe)$/,
      why: GONE,
    },
    { command: 'kubectl delete|oc delete', with: ['all|A'], without: ['dry-run'], why: GONE },
    // Pods and jobs are created again; deleting one restarts it.
    {
      command: 'kubectl delete|oc delete|k delete',
      first: /^(?!(?:po|pods?|rs|replicasets?|ev|events?|jobs?|leases?|help)(?:[/.,]|$))[a-z]/i,
      without: ['dry-run'],
      noWord: /^--help$/,
      why: GONE,
    },
    {
      command: 'kubectl delete|oc delete',
      with: ['f|filename|k|kustomize|l|selector|field-selector'],
      without: ['dry-run'],
      why: GONE,
    },
    { command: 'kubectl drain|oc drain', noWord: DRY, why: 'it moves everything off a machine' },
    { command: 'kubectl replace', with: ['force'], without: ['dry-run'], why: GONE },
    { command: 'kubectl apply', with: ['prune'], without: ['dry-run'], why: GONE },
    { command: 'helm uninstall|helm delete|helm del|helm un', without: ['dry-run'], why: GONE },
    { command: 'helm', first: /^(?:uninstall|delete|del|un)$/, noWord: DRY, why: GONE },
    { command: 'helmfile', word: /^(?:destroy|delete)$/, why: GONE },
    {
      command: 'argocd|flux|istioctl|velero|rancher|nomad|consul|vault',
      word: /^(?:delete|uninstall|purge|destroy|stop|delete-\S+|metadata)$/,
      noWord: /^(?:--dry-run|--help|get|list|status|put)$/,
      why: GONE,
    },
    { command: 'vault', first: /^(?:secrets|auth|audit)$/, operand: /^disable$/, why: GONE },
    {
      command: 'curl|wget|http|https|xh|httpie',
      word: DELETE_REQUEST,
      operand:
        /(?:^|\/\/)(?:[\w-]+\.)*(?:amazonaws\.com|googleapis\.com|azure\.com|cloudflare\.com|digitalocean\.com|heroku\.com|vercel\.com|netlify\.com|machines\.dev|fly\.io|hetzner\.cloud|linode\.com|scaleway\.com)(?:[:/]|$)/,
      why: GONE,
    },
    {
      command:
        'terraform|tofu|terragrunt|terraform destroy|tofu destroy|terragrunt destroy|pulumi|pulumi destroy',
      word: /^-?-?destroy$/,
      noWord: /^(?:plan|--help|-help|--preview-only)$/,
      why: GONE,
    },
    {
      command: 'terraform destroy|tofu destroy|terragrunt destroy|cdktf destroy|cdk destroy|sam delete',
      noWord: /^-{1,2}help$/,
      why: GONE,
    },
    { command: 'terragrunt', word: /^(?:run-all|destroy-all)$/, operand: /^destroy/, why: GONE },
    {
      command: 'terraform|tofu|terragrunt',
      first: /^state$/,
      operand: /^(?:rm|push)$/,
      noWord: /^-?-dry-run$/,
      why: 'it makes the tool forget what it manages',
    },
    {
      command: 'terraform state|tofu state',
      first: /^(?:rm|push)$/,
      noWord: /^-?-dry-run$/,
      why: 'it makes the tool forget what it manages',
    },
    { command: 'terraform|tofu', first: /^workspace$/, operand: /^delete$/, why: GONE },
    { command: 'terraform workspace|tofu workspace', first: /^delete$/, why: GONE },
    { command: 'pulumi', first: /^(?:destroy|down|dn)$/, noWord: /^--preview-only$/, why: GONE },
    { command: 'pulumi|pulumi stack', operand: /^rm$/, why: GONE },
    {
      command:
        'cdk|cdktf|sst|serverless|sls|sam|copilot|amplify|encore|chalice|zappa|up|architect|arc|nitric',
      word: /^(?:destroy|remove|delete|undeploy|rm)$/,
      noWord: /^(?:--help|-h)$/,
      why: GONE,
    },
    {
      command: 'docker system|docker volume|podman system|podman volume',
      first: /^prune$/,
      with: ['a|v|f'],
      word: /volume|^-[a-z]*a|--all/,
      why: KEPT,
    },
    {
      command: 'docker volume|podman volume|nerdctl volume',
      first: /^(?:rm|remove|prune)$/,
      noWord: /^--filter$/,
      why: KEPT,
    },
    {
      command: 'docker compose down|docker-compose down|podman-compose down',
      with: ['v|volumes'],
      why: KEPT,
    },
    { command: 'docker compose|docker-compose|podman-compose', first: /^rm$/, word: /^-[a-z]*v/, why: KEPT },
    {
      command: 'docker swarm|docker stack|docker service|docker secret|docker config',
      first: /^(?:leave|rm|remove|down)$/,
      why: GONE,
    },
    { command: 'fly|flyctl', word: /^(?:destroy|delete|remove|rm)$/, noWord: /^(?:--help|-h)$/, why: GONE },
    {
      command: 'heroku',
      first:
        /^(?:apps:destroy|apps:delete|destroy|pg:reset|addons:destroy|addons:remove|pipelines:destroy|domains:(?:remove|clear)|config:unset|redis:reset|container:rm|spaces:destroy)$/,
      why: GONE,
    },
    { command: 'vercel|vc|now', first: /^(?:rm|remove)$/, why: GONE },
    {
      command: 'vercel|vc',
      first: /^(?:project|projects|env|domains|dns|alias|certs|secrets|blob|integration|teams?)$/,
      operand: /^(?:rm|remove|del|delete)$/,
      why: GONE,
    },
    { command: 'netlify|ntl', word: /^(?:sites:delete|env:unset|blobs:delete)$/, why: GONE },
    {
      command: 'wrangler',
      word: /^(?:delete|destroy|purge|d1:delete|kv:bulk:delete|bulk-delete)$/,
      noWord: /^(?:--dry-run|--help)$/,
      why: GONE,
    },
    {
      command: 'wrangler',
      first: /^(?:kv|r2|d1|queues|pages|secret|versions|hyperdrive|vectorize|dispatch-namespace)/,
      word: /^(?:delete|remove|purge)$/,
      why: GONE,
    },
    {
      command:
        'railway|render|northflank|koyeb|deta|platform|upsun|appwrite|convex|neon|neonctl|planetscale|pscale|turso|xata|upstash|cockroach|ccloud|atlas|mongocli|confluent|stackit|zeabur|dokku|caprover|coolify|clever|scalingo|gigalixir',
      word: VERB,
      noWord: /^(?:--help|-h|list|ls|show)$/,
      why: GONE,
    },
    { command: 'railway', first: /^down$/, why: GONE },
    {
      command: 'supabase',
      first: /^(?:projects|functions|secrets|branches|domains|storage|sso)$/,
      operand: /^(?:delete|unset|rm|remove)$/,
      why: GONE,
    },
    {
      command: 'firebase',
      word: /^(?:firestore:delete|database:remove|hosting:disable|functions:delete|auth:delete|firestore:databases:delete|apps:delete|projects:delete|hosting:sites:delete|remoteconfig:rollback|storage:delete)$/,
      why: GONE,
    },
    { command: 'eb', first: /^terminate$/, why: GONE },
    {
      command: 'rclone',
      first: /^(?:purge|delete|deletefile|rmdirs?|cleanup|sync)$/,
      operand: /:/,
      noWord: /^(?:-n|--dry-run|-i|--interactive)$/,
      why: GONE,
    },
    { command: 'rclone', first: /^(?:purge|delete)$/, noWord: /^(?:-n|--dry-run)$/, why: GONE },
    {
      command: 's3cmd|s5cmd|mc|mcli|b2|swift|ossutil|cos|obsutil',
      word: /^(?:del|rm|rb|delete|expunge|delete-bucket|delete_bucket|delete-file-version|cancel-all-unfinished-large-files)$/,
      noWord: /^(?:-n|--dry-run|--fake)$/,
      why: GONE,
    },
    {
      command: 's3cmd|s5cmd',
      first: /^sync$/,
      word: /^--delete(?:-removed)?$/,
      noWord: /^(?:-n|--dry-run)$/,
      why: GONE,
    },
    { command: 'vagrant', first: /^destroy$/, why: GONE },
    {
      command:
        'multipass|lima|limactl|orb|colima|tart|virsh|VBoxManage|vboxmanage|prlctl|qm|pct|lxc|incus|machinectl|govc|vmrun|xe',
      word: /^(?:delete|purge|undefine|destroy|unregistervm|rm|remove|deleteVM|image-delete|vm\.destroy|vm-destroy|vm-uninstall)$/,
      noWord: /^(?:--help|list|ls)$/,
      why: GONE,
    },
    {
      command: 'systemd-nspawn|crictl|ctr',
      word: /^(?:rmp|rmi|rm|delete)$/,
      operand: /^-a$|^--all$/,
      why: GONE,
    },
    { command: 'ansible-galaxy', word: /^(?:delete)$/, why: GONE },
    { command: 'sentry-cli', word: /^delete$/, why: GONE },
    {
      command: 'op|bw|pass',
      first: /^(?:item|document|vault|delete|rm|user|group)$/,
      word: /^(?:delete|rm)$/,
      why: GONE,
    },
  ],
};
