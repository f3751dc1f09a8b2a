#!/usr/bin/env bash
set -euo pipefail
ROOT="$(cd "$(dirname "$0")/.." && pwd)"
TARGET="${1:-staging}"
npm --prefix "$ROOT" run build
tar czf /tmp/release.tgz -C "$ROOT" dist
scp /tmp/release.tgz "deploy@$TARGET:/srv/app/"
ssh "deploy@$TARGET" 'cd /srv/app && tar xzf release.tgz && systemctl restart app'
rm -f /tmp/release.tgz
