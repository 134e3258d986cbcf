"""A disk in memory that forgets at a power cut what was not synced.

Usage: forgetful_disk.py <mount point> <folder with the durable content> <seed>

When a file `<folder>.cut` appears the power fails: from this instant every access answers EIO. The durable content is what fsync and the fsync
of folders have reached; of what was written since, each page and each folder survives by chance, as on a real disk.
It is saved to the folder, and the program ends.
"""

import errno
import os
import random
import stat
import sys
import threading
import time

from fusepy import FUSE, FuseOSError, Operations

PAGE = 4096


class Node:
    def __init__(self, mode):
        self.mode = mode
        self.live = {} if stat.S_ISDIR(mode) else bytearray()
        self.durable = {} if stat.S_ISDIR(mode) else b""
        self.dirty = set()
        self.changed = time.time()


class ForgetfulDisk(Operations):
    def __init__(self, folder, seed):
        self.folder = folder
        self.chance = random.Random(seed)
        self.turn = threading.Lock()
        self.is_cut = False
        self.root = self.load(folder)

    def load(self, path):
        node = Node(stat.S_IFDIR | 0o700)
        for name in os.listdir(path):
            below = os.path.join(path, name)
            if os.path.isdir(below):
                node.live[name] = self.load(below)
                continue
            child = Node(stat.S_IFREG | stat.S_IMODE(os.stat(below).st_mode))
            with open(below, "rb") as file:
                child.live = bytearray(file.read())
            child.durable = bytes(child.live)
            node.live[name] = child
        node.durable = dict(node.live)
        return node

    def __call__(self, operation, *arguments):
        with self.turn:
            if self.is_cut:
                raise FuseOSError(errno.EIO)
            return super().__call__(operation, *arguments)

    def cut(self):
        with self.turn:
            self.is_cut = True
            self.save(self.root, self.folder)

    def save(self, node, path):
        survives = self.chance.random() < 0.5
        entries = node.live if survives else node.durable
        for name in os.listdir(path):
            if name not in entries:
                below = os.path.join(path, name)
                os.system(f"rm -rf '{below}'")
        for name, child in entries.items():
            below = os.path.join(path, name)
            if stat.S_ISDIR(child.mode):
                os.makedirs(below, mode=0o700, exist_ok=True)
                self.save(child, below)
            elif stat.S_ISREG(child.mode):
                with open(below, "wb") as file:
                    file.write(self.surviving(child))
                os.chmod(below, stat.S_IMODE(child.mode))

    def surviving(self, node):
        content = bytearray(node.durable)
        for page in node.dirty:
            if self.chance.random() < 0.5:
                part = node.live[page * PAGE : (page + 1) * PAGE]
                end = page * PAGE + len(part)
                if len(content) < end:
                    content.extend(bytes(end - len(content)))
                content[page * PAGE : end] = part
        return bytes(content)

    def find(self, path):
        node = self.root
        for name in path.strip("/").split("/"):
            if name == "":
                continue
            if not isinstance(node.live, dict) or name not in node.live:
                raise FuseOSError(errno.ENOENT)
            node = node.live[name]
        return node

    def parent(self, path):
        folder, name = os.path.split(path)
        return self.find(folder), name

    def add(self, path, mode):
        folder, name = self.parent(path)
        if name in folder.live:
            raise FuseOSError(errno.EEXIST)
        folder.live[name] = Node(mode)
        return 0

    def getattr(self, path, handle=None):
        node = self.find(path)
        size = 0 if isinstance(node.live, dict) else len(node.live)
        return {
            "st_mode": node.mode,
            "st_nlink": 1,
            "st_size": size,
            "st_blocks": (size + 511) // 512,
            "st_mtime": node.changed,
            "st_ctime": node.changed,
            "st_atime": node.changed,
            "st_uid": os.getuid(),
            "st_gid": os.getgid(),
        }

    def readdir(self, path, handle):
        return [".", "..", *self.find(path).live]

    def create(self, path, mode, info=None):
        return self.add(path, stat.S_IFREG | stat.S_IMODE(mode))

    def mknod(self, path, mode, device):
        return self.add(path, mode)

    def mkdir(self, path, mode):
        return self.add(path, stat.S_IFDIR | stat.S_IMODE(mode))

    def open(self, path, flags):
        self.find(path)
        return 0

    def read(self, path, size, offset, handle):
        return bytes(self.find(path).live[offset : offset + size])

    def write(self, path, data, offset, handle):
        node = self.find(path)
        end = offset + len(data)
        if len(node.live) < end:
            node.live.extend(bytes(end - len(node.live)))
        node.live[offset:end] = data
        node.dirty.update(range(offset // PAGE, (end - 1) // PAGE + 1))
        node.changed = time.time()
        return len(data)

    def truncate(self, path, length, handle=None):
        node = self.find(path)
        if length < len(node.live):
            del node.live[length:]
        else:
            node.live.extend(bytes(length - len(node.live)))
        node.dirty = {page for page in node.dirty if page * PAGE < length}
        return 0

    def fsync(self, path, is_data_only, handle):
        node = self.find(path)
        node.durable = bytes(node.live)
        node.dirty = set()
        return 0

    def fsyncdir(self, path, is_data_only, handle):
        node = self.find(path)
        node.durable = dict(node.live)
        return 0

    def unlink(self, path):
        folder, name = self.parent(path)
        if name not in folder.live:
            raise FuseOSError(errno.ENOENT)
        del folder.live[name]
        return 0

    def rmdir(self, path):
        if self.find(path).live:
            raise FuseOSError(errno.ENOTEMPTY)
        return self.unlink(path)

    def rename(self, old, new):
        folder, name = self.parent(old)
        target, renamed = self.parent(new)
        if name not in folder.live:
            raise FuseOSError(errno.ENOENT)
        target.live[renamed] = folder.live.pop(name)
        return 0

    def chmod(self, path, mode):
        node = self.find(path)
        node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(mode)
        return 0

    def chown(self, path, user, group):
        return 0

    def utimens(self, path, times=None):
        return 0

    def statfs(self, path):
        return {"f_bsize": PAGE, "f_frsize": PAGE, "f_blocks": 65536, "f_bfree": 60000, "f_bavail": 60000, "f_files": 10000, "f_ffree": 9000}


def main():
    mount_point, folder, seed = sys.argv[1:]
    disk = ForgetfulDisk(folder, int(seed))

    threading.Thread(target=wait_for_cut, args=(disk, f"{folder}.cut"), daemon=True).start()
    threading.Thread(target=announce, args=(mount_point,), daemon=True).start()
    FUSE(disk, mount_point, foreground=True, nothreads=False, hard_remove=True)


def wait_for_cut(disk, sign):
    # Python runs no signal handler while its main thread is inside the FUSE library.
    while not os.path.exists(sign):
        time.sleep(0.001)
    disk.cut()
    print("the power has failed", flush=True)
    os._exit(0)


def announce(mount_point):
    while not os.path.ismount(mount_point):
        time.sleep(0.01)
    print("the disk is mounted", flush=True)


if __name__ == "__main__":
    main()
