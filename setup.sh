#!/bin/sh
# Makes a virtual environment, .venv or the folder given, with Zermelo and what its tests need.
#
# Debian's Python refuses to install packages outside of one, and what makes one is a package of its own, which is
# installed here if it is missing.
set -eu
folder=${1:-$(dirname "$0")/.venv}
if ! python3 -c 'from ensurepip import bootstrap' 2>/dev/null; then
    administrator=$(command -v sudo || true)
    $administrator apt-get update -q
    $administrator apt-get install -q -y python3-venv
fi
python3 -m venv "$folder"
# A newer pip than that of older Pythons chooses versions in half the time. Quiet twice: only errors are printed.
"$folder/bin/python" -m pip install --quiet --quiet --no-compile --upgrade pip
"$folder/bin/python" -m pip install --quiet --quiet --no-compile --editable "$(dirname "$0")[dev]"
