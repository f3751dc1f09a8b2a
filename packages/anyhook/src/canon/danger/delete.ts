import type { Danger } from './rule.ts';

const TREE = 'it deletes everything below a folder that is not plainly part of this project';
const GONE = 'it deletes what no copy is kept of';

export const DELETE: Danger = {
  instead:
    'Name single files or folders below the working folder, move things to the trash (`trash`, `gio trash`) or aside (`mv`), or ask the person to do it.',
  rules: [
    { command: 'rm|grm', with: ['r'], operand: 'far', why: TREE },
    {
      command: 'rm|grm|unlink|shred|srm',
      operand: /^(?:~|\$\{?HOME\}?|\$ENV|\/(?!tmp\/|var\/tmp\/)).*\*/,
      why: TREE,
    },
    {
      command: 'rm|shred|srm|unlink|wipe|truncate',
      operand: /^\/(?:dev\/(?:[sv]d[a-z]|nvme|disk|mmcblk)|etc\/|boot\/|usr\/|bin\/|lib)/,
      why: 'it destroys part of the system',
    },
    { command: 'tee', operand: /^\/dev\/(?:[sv]d[a-z]|nvme|disk|mmcblk)/, why: 'it overwrites a device' },
    { command: 'find|gfind', first: 'away', word: /^-delete$/, why: TREE },
    {
      command: 'find|gfind',
      first: 'away',
      word: /^(?:rm|unlink|shred|\/bin\/rm|\/usr\/bin\/rm)$/,
      why: TREE,
    },
    {
      command: 'find|gfind',
      word: /^-delete$/,
      noWord:
        /^-(?:i?name|i?path|i?regex|i?wholename|type|m?time|m?min|newer|size|empty|maxdepth|mindepth|perm|user)/,
      why: 'it deletes everything below its folder',
    },
    { command: 'fd|fdfind', operand: 'away', word: /^(?:rm|unlink|shred)$/, why: TREE },
    {
      command: 'rsync',
      with: ['delete|delete-before|delete-during|delete-after|delete-excluded|delete-delay'],
      without: ['n'],
      operand: /^(?:~|\$\{?HOME|\/(?!tmp\/)|\.\.)|:/,
      why: 'it deletes what the other side does not have',
    },
    { command: 'rimraf|del-cli|del|trash-empty|srm|shred|wipe', operand: 'far', why: TREE },
    { command: 'tar|gtar|bsdtar', word: /^--remove-f/, why: TREE },
    // What goes into an archive is taken away from where it was.
    { command: 'zip', word: /^(?:-[a-zA-Z]*m[a-zA-Z]*|--move)$/, operand: 'far', why: TREE },
    { command: '7z|7za|7zr|7zz', word: /^-sdel$/, operand: 'far', why: TREE },
    { command: 'rmdir', with: ['p'], operand: 'far', why: TREE },
    { command: 'rmdir', operand: 'emptied', why: TREE },
    // One after the other, as another program finds them, and the folders when they are empty.
    { command: 'rm|grm', with: ['d'], operand: 'far', word: /^\{\}$/, why: TREE },
    { command: 'Remove-Item|ri|rd|erase', word: /^-(?:r|rec\w*)$|^\/s$/i, operand: 'far', why: TREE },
    { command: 'git clean', with: ['f', 'd|x|X'], without: ['n'], why: 'it deletes what is in no commit' },
    { command: 'dd', word: /^of=\/dev\/(?!null|stdout|stderr|tty)/, why: 'it overwrites a device' },
    {
      command:
        'mkfs|mke2fs|mkfs.ext4|mkfs.ext3|mkfs.xfs|mkfs.vfat|mkfs.btrfs|wipefs|blkdiscard|fdisk|parted|sgdisk|shred',
      word: /^\/dev\//,
      why: 'it wipes a device',
    },
    { command: 'mv|gmv', first: 'far', operand: /^\/dev\/null$/, why: GONE },
    { command: 'aws s3 rm|aws s3 rb', with: ['recursive|force'], without: ['dryrun'], why: GONE },
    {
      command: 'aws ec2|aws rds|aws dynamodb|aws cloudformation|aws eks',
      operand: /^(?:terminate-instances|delete-\w+)/,
      word: /^(?:terminate-instances|delete-(?:db|table|stack|cluster)\S*)$/,
      why: GONE,
    },
    { command: 'rclone', first: /^(?:purge|delete)$/, noWord: /^(?:-n|--dry-run)$/, why: GONE },
    { command: 'zfs|zpool', first: /^destroy$/, noWord: /^-[a-zA-Z]*n/, why: GONE },
    { command: 'lvremove|vgremove', noWord: /^(?:-t|--test)$/, why: GONE },
    { command: 'btrfs subvolume', first: /^del/, why: GONE },
    { command: 'gsutil', operand: /^rm$/, word: /^-[a-z]*[rR]/, why: GONE },
    { command: 'kubectl delete|oc delete', with: ['all|A'], without: ['dry-run'], why: GONE },
    {
      command: 'kubectl delete|oc delete',
      first: /^(?:ns|namespaces?|pv|pvc|persistentvolume\w*|crd)(?:\/|$)/,
      without: ['dry-run'],
      why: GONE,
    },
    { command: 'helm uninstall|helm delete', without: ['dry-run'], why: GONE },
    {
      command: 'docker system|docker volume|podman system|podman volume',
      first: /^prune$/,
      with: ['a|v|f'],
      word: /volume|^-[a-z]*a|--all/,
      why: 'it deletes data that containers keep',
    },
    { command: 'docker volume|podman volume', first: /^rm$/, why: 'it deletes data that containers keep' },
    {
      command: 'docker compose down|docker-compose down',
      with: ['v'],
      why: 'it deletes data that containers keep',
    },
    {
      command: 'terraform|tofu|terraform destroy|tofu destroy|terragrunt destroy|pulumi|pulumi destroy',
      word: /^-?-?destroy$/,
      why: GONE,
    },
    { command: 'terraform destroy|tofu destroy|terragrunt destroy', why: GONE },
    { command: 'dropdb|dropuser', why: GONE },
    {
      command: 'psql|mysql|mariadb|sqlite3|clickhouse-client|cockroach',
      word: /\b(?:drop\s+(?:database|schema|table)|truncate\s+(?:table\s+)?\w|delete\s+from\s+\w+\s*(?:;|$))/i,
      why: GONE,
    },
    {
      command: 'mongosh|mongo',
      word: /\bdropDatabase\b|\.(?:drop|remove|deleteMany)\(\s*(?:\{\s*\})?\s*\)/,
      why: GONE,
    },
    // Frameworks that empty the database they are configured for.
    { command: 'rails|rake', word: /^db:(?:drop|reset|purge)(?::|$)/, why: GONE },
    { command: 'prisma migrate', first: /^reset$/, why: GONE },
    { command: 'php', word: /^(?:migrate:(?:fresh|reset|refresh)|db:wipe)$/, why: GONE },
    { command: 'supabase db', first: /^reset$/, word: /^--(?:linked|db-url)/, why: GONE },
    { command: 'crontab', with: ['r'], why: GONE },
    { command: 'gcloud', first: /^(?:projects|sql)$/, word: /^delete$/, why: GONE },
    { command: 'az', first: /^group$/, word: /^delete$/, why: GONE },
    { command: 'heroku', first: /^(?:apps:destroy|pg:reset|addons:destroy)$/, why: GONE },
    { command: 'fly|flyctl', word: /^destroy$/, why: GONE },
    { command: 'vagrant', first: /^destroy$/, why: GONE },
    { command: 'redis-cli', operand: /^flush(?:all|db)$/i, why: GONE },
    { command: 'gh', word: /^delete$/, operand: /^(?:repo|release)$/, why: GONE },
    { command: 'gh repo|gh release', first: /^delete$/, why: GONE },
  ],
};
