#!/bin/sh
# Writes the locked sets of dependencies, with the hashes of every platform's files: what `make lock` runs.
#   deploy/lock.sh UV
set -eu
cd "$(dirname "$0")/.."
uv="$1"
export UV_CUSTOM_COMPILE_COMMAND="make lock"
compile() {
  "$uv" pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
    --no-annotate --upgrade "$@"
}
compile pyproject.toml --extra server --extra bulk --extra postgres --output-file deploy/requirements.txt
compile deploy/build-requirements.in --output-file deploy/build-requirements.txt
