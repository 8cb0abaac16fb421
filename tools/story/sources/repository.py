# SPDX-License-Identifier: MIT
"""Files of a git repository that has no work tree, as text."""
import subprocess
from pathlib import Path


class Repository:
    """`OWNER/NAME` below a folder of mirrors: FOLDER/OWNER+NAME, FOLDER/OWNER+NAME/repo or a clone FOLDER/NAME."""

    def __init__(self, folder, name):
        plus = Path(folder) / name.replace("/", "+")
        found = [p for p in (plus / "repo", plus, Path(folder) / name.split("/")[1]) if p.is_dir()]
        if not found:
            raise FileNotFoundError(f"{name} is not in {folder}")
        self.path = found[0]

    def git(self, *arguments):
        return subprocess.run(["git", "-C", str(self.path), "-c", "core.quotepath=off", *arguments], capture_output=True, check=True).stdout

    def names(self, prefix=""):
        listed = self.git("ls-tree", "-r", "-z", "--name-only", "HEAD", *([prefix] if prefix else [])).decode()
        return [name for name in listed.split("\0") if name]

    def read(self, names, encoding="utf-8"):
        """(name, text) of those files that are there: a mirror may lack large ones."""
        asked = "".join(f"HEAD:{name}\n" for name in names).encode()
        given = subprocess.run(["git", "-C", str(self.path), "cat-file", "--batch"], input=asked, capture_output=True, check=True).stdout
        at = 0
        for name in names:
            end = given.index(b"\n", at)
            head = given[at:end].split()
            at = end + 1
            if head[-1] in (b"missing", b"ambiguous"):
                continue
            size = int(head[-1])
            yield name, given[at:at + size].decode(encoding, "replace")
            at += size + 1
