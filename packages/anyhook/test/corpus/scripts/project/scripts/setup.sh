#!/bin/sh
set -e
command -v node >/dev/null || { echo "Install Node.js first"; exit 1; }
[ -f .env ] || cp .env.example .env
. ./.env
npm ci
eval "$(direnv hook bash)" 2>/dev/null || true
case "$(uname)" in
  Darwin) brew bundle ;;
  Linux) sudo apt-get install -y jq ;;
esac
"$@"
