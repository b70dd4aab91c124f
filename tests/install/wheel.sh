#!/bin/sh
# The wheel: in a virtual environment it is installed without a network, runs with the library that it brings, and is removed
# without a trace. With SEAM_LONG it is also built from the files of a source archive alone, in two folders, one with a blank in
# its name that only its owner may read, without git: the same bytes.
# usage: wheel.sh SOURCE BUILD PYTHON FOLDER
set -eu
source=$1 build=$2 python=$3 folder=$4
unset SEAM_LIBRARY PYTHONPATH
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$python" -m venv --system-site-packages --without-pip venv || exit
"$python" -m pip --version || { echo "python3-pip is missing" && exit 77; }
pip() { "$python" -m pip --quiet --python "$folder/venv" "$@"; }
files() { find venv -name __pycache__ -prune -o -print | sort; }

files >before
pip wheel --no-deps --config-settings "build=$build" --wheel-dir built "$source"
ls built/seam-*-py3-none-linux_"$(uname -m)".whl
pip install built/*.whl
venv/bin/python "$source/tests/install/imported.py" "$folder/venv"
pip uninstall --yes seam
files | diff before -

[ -n "${SEAM_LONG:-}" ] || exit 0
mkdir bin
printf '#!/bin/sh\necho "git $*" >>"%s/git"\nexit 127\n' "$folder" >bin/git
chmod +x bin/git
for tree in tree 'a tree'; do
  mkdir "$tree"
  git -C "$source" ls-files -z | tar --create --directory="$source" --null --files-from=- | tar --extract --directory="$tree"
  (PATH="$folder/bin:$PATH" && pip wheel --no-deps --wheel-dir "from $tree" "./$tree") || exit
  umask 077
done
[ ! -e git ] || { cat git && exit 1; }
cmp 'from tree'/*.whl 'from a tree'/*.whl
