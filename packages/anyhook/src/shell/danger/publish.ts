import { DELETE_REQUEST, type Danger } from './rule.ts';

const PUBLIC = 'it publishes for everybody, and that cannot be taken back';
const TAKES = 'it takes away what others use';
const LIVE = 'it changes what is live';

export const PUBLISH: Danger = {
  instead:
    'Show what would be published (`npm pack --dry-run`, `cargo publish --dry-run`, a preview deployment) and let the person publish.',
  rules: [
    {
      command: 'npm publish|pnpm publish|yarn publish|bun publish|yarn npm',
      without: ['dry-run'],
      noWord: /^(?:info|audit|whoami|logout|tag)$/,
      why: PUBLIC,
    },
    {
      command: 'npm|pnpm|yarn|bun',
      first: /^(?:unpublish|deprecate|undeprecate)$/,
      noWord: /^--dry-run$/,
      why: TAKES,
    },
    {
      command: 'npm unpublish|npm deprecate|pnpm unpublish|pnpm deprecate|yarn unpublish|yarn deprecate',
      without: ['dry-run'],
      why: TAKES,
    },
    {
      command: 'curl|wget|http|https|xh|httpie',
      word: DELETE_REQUEST,
      operand:
        /(?:^|\/\/|@)(?:api\.github\.com|(?:[\w-]+\.)*gitlab\.com|api\.bitbucket\.org|registry\.npmjs\.org|hub\.docker\.com|crates\.io|rubygems\.org|codeberg\.org)(?:[:/]|$)/,
      why: TAKES,
    },
    {
      command: 'npm dist-tag|npm owner|npm access|npm team|npm org|npm token|npm hook|npm trust',
      first: /^(?:add|rm|remove|grant|revoke|set|create|destroy|public|restricted|2fa-\S+|edit|delete)$/,
      why: PUBLIC,
    },
    { command: 'jsr|deno', first: /^publish$/, noWord: /^--dry-run$/, why: PUBLIC },
    {
      command: 'np|semantic-release|release-it|release-please|auto|shipjs|goreleaser|cargo-release|dpl',
      noWord:
        /dry-?run|--help|--version|--snapshot|^-d$|--no-publish|--preview|^(?:check|init|build|changelog)$/,
      why: PUBLIC,
    },
    {
      command: 'goreleaser',
      first: /^(?:release|publish|continue)$/,
      noWord: /--snapshot|--skip=publish/,
      why: PUBLIC,
    },
    {
      command: 'lerna|nx|changeset|release-it|semantic-release|np',
      word: /^(?:publish|release)$/,
      noWord: /dry-?run|--help|^-d$/,
      why: PUBLIC,
    },
    { command: 'cargo publish', without: ['n'], why: PUBLIC },
    {
      command: 'cargo',
      first: /^(?:yank|owner|release|workspaces)$/,
      noWord: /^(?:--list|-l|--undo|list)$|dry-run/,
      why: TAKES,
    },
    { command: 'cargo yank', why: TAKES },
    { command: 'twine', first: /^upload$/, why: PUBLIC },
    { command: 'poetry|uv|flit|hatch|pdm', first: /^publish$/, noWord: /dry-?run/, why: PUBLIC },
    { command: 'gem', first: /^(?:push|yank|owner)$/, noWord: /^--help$/, why: PUBLIC },
    { command: 'rake', word: /^release(?::|$)/, why: PUBLIC },
    { command: 'mix', first: /^hex\.(?:publish|retire|owner)$/, noWord: /dry-run/, why: PUBLIC },
    { command: 'rebar3', word: /^hex$/, operand: /^publish$/, why: PUBLIC },
    { command: 'dart|flutter', word: /^publish$/, noWord: /^(?:--dry-run|-n)$/, why: PUBLIC },
    {
      command: 'luarocks|stack|cabal|opam|nimble|dub|conan|vcpkg|raco|elm|spago|clojars|lein',
      word: /^(?:upload|publish|deploy|remove)$/,
      noWord: /dry-run|^(?:bump|install)$/,
      why: PUBLIC,
    },
    { command: 'anaconda', word: /^(?:upload|remove)$/, why: PUBLIC },
    { command: 'conda', first: /^(?:publish)$/, why: PUBLIC },
    { command: 'snapcraft', word: /^(?:upload|push|release|close)$/, why: PUBLIC },
    { command: 'flatpak-builder|ostree', word: /^(?:--gpg-sign|push)$/, why: PUBLIC },
    { command: 'chocolatey|choco|winget|wingetcreate|scoop', word: /^(?:push|submit)$/, why: PUBLIC },
    { command: 'cosign', first: /^(?:sign|attest|clean)$/, why: PUBLIC },
    {
      command: 'oras|crane|skopeo|regctl|buildah|nerdctl|img|ko',
      word: /^(?:push|copy|delete|cp|publish|resolve)$/,
      noWord: /^(?:--dry-run|--push=false|--local|dir:.*)$/,
      why: PUBLIC,
    },
    {
      command: 'huggingface-cli|hf',
      word: /^(?:upload|upload-large-folder|delete|delete_repo|repo-files)$/,
      why: PUBLIC,
    },
    { command: 'kaggle', word: /^(?:create|version|push|submit)$/, why: PUBLIC },
    { command: 'twine', word: /^upload$/, why: PUBLIC },
    { command: 'python|python3', word: /^upload$/, operand: /^(?:upload|setup\.py)$/, why: PUBLIC },
    {
      command: 'mvn|mvnw|gradle|gradlew|sbt',
      word: /^:?(?:deploy|publish\w*|release:perform)$/,
      noWord: /publishToMavenLocal/,
      why: PUBLIC,
    },
    { command: 'dotnet|nuget', word: /^push$/, why: PUBLIC },
    { command: 'docker push|podman push|docker image push', why: PUBLIC },
    { command: 'docker buildx|docker build', word: /^--push$/, why: PUBLIC },
    { command: 'docker manifest|podman manifest|docker image|docker compose', first: /^push$/, why: PUBLIC },
    { command: 'helm push', why: PUBLIC },
    { command: 'gh release', first: /^(?:create|upload|edit|delete|delete-asset)$/, why: PUBLIC },
    { command: 'gh|glab', first: /^release$/, operand: /^(?:create|upload|edit|delete\S*)$/, why: PUBLIC },
    {
      command: 'gh|glab|tea|hub',
      first:
        /^(?:repo|project|label|secret|variable|gist|cache|run|workflow|ssh-key|gpg-key|issue|codespace|ruleset|snippet|schedule|token|deploy-key|environment|mr|release|repos|variable)$/,
      operand: /^(?:delete|delete-\S+|rm|archive|rename|transfer|disable|remove|unset)$/,
      why: TAKES,
    },
    {
      command:
        'gh repo|gh secret|gh gist|gh variable|gh workflow|gh label|gh project|gh cache|gh ssh-key|gh gpg-key|gh issue|gh codespace|gh run',
      first: /^(?:delete|archive|rename|remove|disable|transfer)$/,
      why: TAKES,
    },
    {
      command: 'gh',
      first: /^repo$/,
      operand: /^edit$/,
      word: /^--visibility|^--default-branch|^--accept-visibility/,
      why: 'it changes who can see the repository',
    },
    {
      command: 'gh repo',
      first: /^edit$/,
      word: /^--visibility/,
      why: 'it changes who can see the repository',
    },
    { command: 'gh api|glab api', word: /^(?:DELETE|-XDELETE|--method=DELETE)$/i, why: TAKES },
    {
      command: 'gh|glab',
      first: /^(?:pr|mr)$/,
      operand: /^merge$/,
      word: /^--(?:admin|auto)$|^-y$/,
      why: LIVE,
    },
    { command: 'git push', with: ['tags|follow-tags'], without: ['n'], why: PUBLIC },
    { command: 'git push', operand: /^(?:refs\/tags\/|v\d+\.\d)/, without: ['n'], why: PUBLIC },
    { command: 'vsce|ovsx', word: /^(?:publish|unpublish)$/, why: PUBLIC },
    { command: 'pod', word: /^push$/, why: PUBLIC },
    { command: 'vercel|netlify', word: /^--prod(?:uction)?$/, why: LIVE },
    { command: 'wrangler', first: /^(?:deploy|publish)$/, noWord: /^--dry-run$/, why: LIVE },
    {
      command: 'firebase|fly|flyctl|serverless|sls|eb|cdk|sst|amplify|railway|heroku',
      word: /^(?:deploy|publish|container:release)$/,
      why: LIVE,
    },
    { command: 'gcloud', word: /^deploy$/, why: LIVE },
    { command: 'terraform apply|tofu apply|terraform|tofu', word: /^--?auto-approve$/, why: LIVE },
    { command: 'kubectl rollout|kubectl scale', first: /^(?:undo|deployment)/, why: LIVE },
  ],
};
