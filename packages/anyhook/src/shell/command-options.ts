/**
 * The options of common commands, so that a rule applies to every spelling. An entry is one option with all its spellings,
 * of which the first is its name: `r,R,recursive`. `:` takes a value, `::` only an attached one. `D=d,force`: one option
 * stands for several.
 */
export interface OptionTable {
  /** `rm`, `git push`: the program, or a subcommand of it. */
  readonly names: string;
  readonly options: string;
  /** The options before the subcommand belong to the program. */
  readonly hasSubcommands?: true;
}

const GIT_COMMON = 'q,quiet v,verbose n,dry-run';

export const COMMAND_OPTIONS: readonly OptionTable[] = [
  {
    names: 'rm grm',
    options:
      'r,R,recursive f,force i I interactive:: d,dir v,verbose one-file-system no-preserve-root preserve-root:: help version',
  },
  { names: 'rmdir', options: 'p,parents v,verbose ignore-fail-on-non-empty help version' },
  {
    names: 'unlink shred',
    options: 'f,force n,iterations: s,size: u remove:: v,verbose x,exact z,zero random-source: help version',
  },
  {
    names: 'cp gcp',
    options:
      'r,R,recursive f,force i,interactive a,archive n,no-clobber u,update:: v,verbose p preserve:: L,dereference P,no-dereference H d l,link s,symbolic-link b backup:: S,suffix: t,target-directory: T,no-target-directory x,one-file-system parents attributes-only remove-destination reflink:: sparse: strip-trailing-slashes no-preserve: help version',
  },
  {
    names: 'mv gmv',
    options:
      'f,force i,interactive n,no-clobber u,update:: v,verbose b backup:: S,suffix: t,target-directory: T,no-target-directory strip-trailing-slashes help version',
  },
  {
    names: 'ln',
    options:
      's,symbolic f,force i,interactive n,no-dereference v,verbose b backup:: S,suffix: t,target-directory: T,no-target-directory r,relative L,logical P,physical',
  },
  {
    names: 'chmod chown chgrp',
    options:
      'R,recursive f,silent,quiet v,verbose c,changes h,no-dereference dereference reference: preserve-root no-preserve-root from: H L P help version',
  },
  { names: 'mkdir', options: 'p,parents m,mode: v,verbose Z context::' },
  { names: 'dd mkfs', options: '' },
  { names: 'truncate', options: 'c,no-create o,io-blocks r,reference: s,size: help version' },
  {
    names: 'ls',
    options:
      'l a,all A,almost-all h,human-readable R,recursive t S r,reverse d,directory 1 i,inode s,size F,classify:: color::',
  },
  { names: 'tee', options: 'a,append i,ignore-interrupts p output-error::' },
  { names: 'kill pkill killall', options: 's,signal: l,list:: f,full 9 n u,user: x,exact g e' },
  {
    names: 'tar gtar bsdtar',
    options:
      'x,extract,get c,create t,list r,append u,update A,catenate,concatenate delete d,diff,compare f,file: C,directory: z,gzip,gunzip,ungzip j,bzip2 J,xz v,verbose p,preserve-permissions,same-permissions remove-files overwrite recursive-unlink unlink-first,U k,keep-old-files strip-components: exclude: T,files-from: X,exclude-from: O,to-stdout a,auto-compress zstd I,use-compress-program: wildcards numeric-owner checkpoint:: checkpoint-action: to-command: transform,xform: h,dereference m,touch w,interactive,confirmation',
  },
  {
    names: 'sed gsed',
    options:
      'i,in-place:: e,expression: f,file: n,quiet,silent E,r,regexp-extended s,separate z,null-data u,unbuffered l,line-length: posix sandbox follow-symlinks debug',
  },
  {
    names: 'rsync',
    options:
      'a,archive r,recursive v,verbose z,compress n,dry-run u,update delete,del delete-before delete-during delete-after delete-excluded delete-delay e,rsh: P exclude: include: f,filter: progress partial remove-source-files h,human-readable q,quiet l,links p,perms t,times g,group o,owner D',
  },
  {
    names: 'make gmake',
    options:
      'f,file,makefile: C,directory: j,jobs:: n,just-print,dry-run,recon k,keep-going s,silent,quiet B,always-make i,ignore-errors eval: e,environment-overrides I,include-dir: l,load-average:: o,old-file: q,question r,no-builtin-rules R,no-builtin-variables t,touch W,what-if: w,print-directory',
  },
  {
    names: 'curl',
    options:
      's,silent S,show-error f,fail L,location k,insecure o,output: O,remote-name X,request: H,header: d,data: F,form: u,user: A,user-agent: b,cookie: c,cookie-jar: T,upload-file: I,head i,include v,verbose x,proxy: m,max-time: retry: data-binary: data-raw: data-urlencode: json: compressed connect-timeout: cacert: cert: key: G,get e,referer: C,continue-at: w,write-out: url: netrc',
  },
  {
    names: 'wget',
    options:
      'q,quiet O,output-document: P,directory-prefix: c,continue r,recursive N,timestamping header: post-file: post-data: body-file: no-check-certificate nc,no-clobber',
  },
  { names: 'scp', options: 'r q v C B p P: i: o: F: S: D: c: l: J:' },

  {
    names: 'git',
    hasSubcommands: true,
    options:
      'C: c: p,paginate P,no-pager exec-path:: git-dir: work-tree: namespace: bare no-replace-objects config-env: no-optional-locks literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs super-prefix: attr-source: no-lazy-fetch no-advice h,help v,version html-path man-path info-path list-cmds:',
  },
  {
    names: 'git push',
    options: `${GIT_COMMON} f,force force-with-lease:: force-if-includes d,delete all,branches mirror tags follow-tags atomic u,set-upstream prune no-verify verify o,push-option: repo: receive-pack: exec: signed:: thin porcelain progress recurse-submodules: 4,ipv4 6,ipv6`,
  },
  {
    names: 'git commit',
    options:
      'q,quiet v,verbose dry-run a,all m,message: n,no-verify verify amend no-edit e,edit F,file: C,reuse-message: c,reedit-message: fixup: squash: reset-author short branch porcelain long z,null author: date: t,template: s,signoff no-signoff no-post-rewrite allow-empty allow-empty-message cleanup: S,gpg-sign:: no-gpg-sign i,include o,only p,patch u,untracked-files:: trailer: status no-status',
  },
  {
    names: 'git reset',
    options:
      'q,quiet hard soft mixed merge keep N,intent-to-add p,patch no-refresh refresh pathspec-from-file: pathspec-file-nul recurse-submodules::',
  },
  { names: 'git clean', options: 'f,force d x X n,dry-run q,quiet i,interactive e,exclude:' },
  {
    names: 'git checkout git switch',
    options:
      'q,quiet f,force,discard-changes b: B: c,create: C,force-create: d,detach t,track:: guess l m,merge ours theirs conflict: p,patch orphan: ignore-skip-worktree-bits overwrite-ignore recurse-submodules:: progress no-progress pathspec-from-file: pathspec-file-nul',
  },
  {
    names: 'git restore',
    options:
      's,source: S,staged W,worktree p,patch q,quiet ours theirs m,merge ignore-unmerged overlay no-overlay pathspec-from-file: progress no-progress',
  },
  {
    names: 'git branch',
    options:
      'd,delete D=d,f f,force m,move M=m,f c,copy C=c,f l,list a,all r,remotes v,verbose q,quiet t,track:: u,set-upstream-to: unset-upstream show-current merged:: no-merged:: contains: sort: points-at: format: edit-description create-reflog color:: no-color',
  },
  {
    names: 'git tag',
    options:
      'd,delete f,force a,annotate s,sign u,local-user: m,message: F,file: l,list n:: v,verify sort: contains: e,edit cleanup: merged:: points-at: format: create-reflog',
  },
  {
    names: 'git rebase',
    options: `${GIT_COMMON} i,interactive onto: root continue abort skip quit edit-todo x,exec: f,force-rebase,no-ff m,merge s,strategy: X,strategy-option: autosquash no-autosquash autostash no-autostash S,gpg-sign:: signoff no-verify verify keep-empty rebase-merges:: stat update-refs`,
  },
  {
    names: 'git stash',
    options:
      'q,quiet u,include-untracked a,all p,patch S,staged k,keep-index no-keep-index m,message: index pathspec-from-file: pathspec-file-nul',
  },
  {
    names: 'git filter-branch',
    options:
      'f,force d: env-filter: tree-filter: index-filter: parent-filter: msg-filter: commit-filter: tag-name-filter: subdirectory-filter: original: prune-empty setup: state-branch:',
  },
  {
    names: 'git reflog git gc git prune git update-ref',
    options:
      'expire: expire-unreachable: all stale-fix rewrite updateref n,dry-run v,verbose prune:: aggressive auto force d stdin no-deref z m: q,quiet progress',
  },
  {
    names: 'git worktree',
    options: 'f,force n,dry-run v,verbose b: B: d,detach lock reason: expire: porcelain',
  },
  {
    names: 'git remote git submodule',
    options: 'f,force v,verbose all q,quiet t: m: tags mirror:: recursive init remote push delete add',
  },
  {
    names: 'git rm',
    options: 'f,force r cached n,dry-run q,quiet ignore-unmatch sparse pathspec-from-file:',
  },
  {
    names: 'git add',
    options:
      'A,all,no-ignore-removal f,force n,dry-run v,verbose i,interactive p,patch e,edit u,update sparse N,intent-to-add refresh ignore-errors ignore-missing renormalize chmod: pathspec-from-file:',
  },
  {
    names: 'git merge git pull git fetch git clone',
    options:
      'f,force q,quiet v,verbose n,dry-run no-commit ff no-ff ff-only squash no-squash s,strategy: X,strategy-option: m,message: abort continue quit r,rebase:: no-rebase p,prune P,prune-tags t,tags no-tags depth: all a,append b,branch: o,origin: c,config: u,upload-pack: recurse-submodules:: bare mirror single-branch no-verify autostash j,jobs: filter: unshallow',
  },

  {
    names: 'docker podman nerdctl',
    hasSubcommands: true,
    options:
      'H,host: c,context: config: D,debug l,log-level: tls tlscacert: tlscert: tlskey: tlsverify v,version url: connection: remote root:',
  },
  {
    names:
      'docker system|docker volume|docker image|docker container|docker network|docker builder|docker rm|docker rmi|docker kill|docker stop',
    options: 'a,all f,force v,volumes filter: l,link s,signal: t,time: no-prune',
  },
  {
    names: 'docker run|docker create|docker exec',
    options:
      'i,interactive t,tty d,detach rm v,volume: e,env: p,publish: P,publish-all name: w,workdir: u,user: privileged network,net: entrypoint: env-file: mount: platform: l,label: h,hostname: m,memory: cpus: restart: gpus: ipc: pid: userns: cap-add: cap-drop: security-opt: add-host: device: init pull: log-driver: log-opt: shm-size: tmpfs: ulimit: volumes-from: link: dns: ip: expose: read-only q,quiet',
  },
  {
    names: 'docker compose|docker-compose',
    hasSubcommands: true,
    options:
      'f,file: p,project-name: profile: env-file: project-directory: ansi: progress: parallel: compatibility dry-run',
  },
  {
    names: 'docker compose down|docker-compose down|docker compose rm|docker-compose rm',
    options: 'v,volumes rmi: remove-orphans t,timeout: f,force s,stop',
  },
  {
    names: 'kubectl oc',
    hasSubcommands: true,
    options:
      'n,namespace: context: cluster: kubeconfig: s,server: user: token: as: as-group: v: request-timeout: insecure-skip-tls-verify',
  },
  {
    names: 'kubectl delete|oc delete|kubectl drain|kubectl apply|kubectl replace',
    options:
      'n,namespace: A,all-namespaces all f,filename: l,selector: force grace-period: now cascade:: wait:: dry-run:: ignore-not-found:: o,output: R,recursive k,kustomize: field-selector: prune delete-emptydir-data ignore-daemonsets context: kubeconfig:',
  },
  { names: 'helm', hasSubcommands: true, options: 'n,namespace: kube-context: kubeconfig: debug' },
  {
    names: 'helm uninstall',
    options: 'n,namespace: dry-run keep-history no-hooks wait timeout: kube-context:',
  },
  { names: 'terraform tofu terragrunt', hasSubcommands: true, options: 'chdir: version help' },

  {
    names: 'npm pnpm yarn bun',
    hasSubcommands: true,
    options:
      's,silent prefix: C,dir,cwd: w,workspace,filter: workspaces,ws loglevel: registry: userconfig: g,global r,recursive',
  },
  {
    names: 'npm publish|pnpm publish|yarn publish|bun publish|yarn npm publish',
    options:
      'dry-run tag: access: otp: f,force no-git-checks provenance r,recursive w,workspace,filter: workspaces registry: ignore-scripts',
  },
  {
    names:
      'npm unpublish|npm deprecate|pnpm unpublish|pnpm deprecate|yarn unpublish|yarn deprecate|npm owner|npm dist-tag|npm token',
    options: 'f,force dry-run otp: registry: w,workspace:',
  },
  {
    names: 'npm install|npm i|npm ci|npm add|pnpm install|pnpm add|yarn add',
    options:
      'g,global S,save D,save-dev O,save-optional E,save-exact f,force legacy-peer-deps no-save ignore-scripts w,workspace: prefix: registry: omit: include: package-lock-only dry-run audit fund prefer-offline',
  },
  {
    names: 'cargo',
    hasSubcommands: true,
    options: 'q,quiet v,verbose color: locked offline frozen config: Z: C:',
  },
  {
    names: 'cargo publish',
    options:
      'n,dry-run token: registry: allow-dirty no-verify p,package: features: all-features target-dir: manifest-path:',
  },
  { names: 'gh', hasSubcommands: true, options: 'R,repo: help version' },
  {
    names: 'aws',
    hasSubcommands: true,
    options: 'profile: region: output: endpoint-url: no-cli-pager debug query: no-verify-ssl',
  },
  {
    names: 'aws s3',
    hasSubcommands: true,
    options: 'profile: region: recursive dryrun delete force exclude: include: quiet',
  },
  { names: 'python python3 pip pip3 twine poetry uv gem', options: '' },
];
