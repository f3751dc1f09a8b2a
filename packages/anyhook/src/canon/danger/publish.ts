import type { Danger } from './rule.ts';

const PUBLIC = 'it publishes for everybody, and that cannot be taken back';
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
    { command: 'npm unpublish|npm deprecate', without: ['dry-run'], why: 'it takes away what others use' },
    { command: 'npm dist-tag|npm owner|npm access', first: /^(?:add|rm|grant|revoke|set)$/, why: PUBLIC },
    {
      command: 'lerna|nx|changeset|release-it|semantic-release|np',
      word: /^(?:publish|release)$/,
      noWord: /dry-?run|--help|^-d$/,
      why: PUBLIC,
    },
    { command: 'cargo publish', without: ['n'], why: PUBLIC },
    { command: 'cargo yank', why: 'it takes away what others use' },
    { command: 'twine', first: /^upload$/, why: PUBLIC },
    { command: 'poetry|uv|flit|hatch|pdm', first: /^publish$/, noWord: /dry-?run/, why: PUBLIC },
    { command: 'gem', first: /^(?:push|yank)$/, why: PUBLIC },
    {
      command: 'mvn|mvnw|gradle|gradlew|sbt',
      word: /^:?(?:deploy|publish\w*|release:perform)$/,
      noWord: /publishToMavenLocal/,
      why: PUBLIC,
    },
    { command: 'dotnet|nuget', word: /^push$/, why: PUBLIC },
    { command: 'docker push|podman push|docker image push', why: PUBLIC },
    { command: 'docker buildx|docker build', word: /^--push$/, why: PUBLIC },
    { command: 'helm push', why: PUBLIC },
    { command: 'gh release', first: /^(?:create|upload|edit)$/, why: PUBLIC },
    { command: 'gh', operand: /^release$/, word: /^(?:create|upload)$/, why: PUBLIC },
    { command: 'vsce|ovsx', word: /^publish$/, why: PUBLIC },
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
