"""A folder as a node sees it through a slow network file system such as NFS: each operation waits, and what the node knows of names and
attributes is some seconds old.

    slow_mount.py FOLDER --delay 0.02 --memory 3        # until it is killed; the folder is mounted over itself
    slow_mount.py FOLDER --orders /tmp/node1.stall      # operations that stand still, as Stalls says

Each node has a mount of its own (Nodes.mount() of nodes.py), so that none of them sees at once what another one changes:

- Names, the lack of names, attributes and lists of directories are remembered for `memory` seconds.
- open() of a file asks for its attributes, and opendir() whether names of the directory still hold: "close to open" of NFS.
- Written bytes stay on the node until fsync, close, or until the node itself asks for them.
- Locks (flock) hold among all nodes, and so does O_EXCL. A file that another node has removed is stale (ESTALE).

It speaks the kernel's protocol of /dev/fuse (linux/fuse.h, version 7.31) and needs no library.
"""
import argparse
import contextlib
import ctypes
import errno
import fcntl
import os
import stat
import struct
import sys
import threading
import time

IN, OUT = struct.Struct("<IIQQIIIHH"), struct.Struct("<IiQ")
ATTRIBUTES = struct.Struct("<6Q10I")
LONGEST_WRITE = 1 << 17
THREADS = 8
FLOCK_LOCKS, NO_HANDLE_NEEDED = 1 << 10, {2, 26, 36, 42}  # of INIT; operations that do not wait: FORGET, INIT, INTERRUPT, BATCH_FORGET
INVALIDATE_INODE, INVALIDATE_ENTRY = 2, 3
NOW_OR_GIVEN = {"atime": (16, 128), "mtime": (32, 256)}


class Inode:
    """One that the kernel knows. An O_PATH descriptor keeps its number from being used again."""

    def __init__(self, descriptor, name):
        self.descriptor, self.name, self.lookups = descriptor, name, 0
        self.names = set()  # that are remembered, to be here or to be missing
        self.version = self.now()  # of the names
        self.listed = (0.0, [])  # when, and what

    def now(self):
        return os.fstat(self.descriptor).st_ctime_ns


class Handle:
    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.pending = []  # (offset, bytes) that were written here and that no other node sees
        self.entries = []

    def flush(self):
        pending, self.pending = self.pending, []
        for offset, content in pending:
            os.pwrite(self.descriptor, content, offset)


class Stalls:
    """Where the file `orders` has "read field.000002.nersc", the next read of a file with this in its name waits. The file is then
    called ORDERSed, until somebody removes it and so lets the operation go on."""

    def __init__(self, orders):
        self.orders, self.stalled = orders, orders + "ed"

    def wait(self, operation, name):
        if not os.path.exists(self.orders):
            return
        try:
            with open(self.orders, encoding="utf-8") as file:
                asked, _, part = file.read().partition(" ")
            if asked != operation or part not in os.fsdecode(name):
                return
            os.rename(self.orders, self.stalled)
        except FileNotFoundError:  # it was for another operation, at the same time
            return
        while os.path.exists(self.stalled):
            time.sleep(0.005)


class Mount:
    def __init__(self, folder, delay, memory, orders):
        self.delay, self.memory, self.stalls = delay, memory, Stalls(orders)
        self.lock = threading.RLock()
        self.inodes, self.numbers, self.handles, self.last = {}, {}, {}, 1
        self.inodes[1] = Inode(os.open(folder, os.O_PATH), b"")
        self.device = os.open("/dev/fuse", os.O_RDWR)
        options = f"fd={self.device},rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions,max_read={LONGEST_WRITE}"
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.mount(b"slow", os.fsencode(folder), b"fuse.slow", 0, options.encode()) != 0:
            raise OSError(ctypes.get_errno(), "mount", folder)

    def serve(self):
        for _ in range(THREADS - 1):
            threading.Thread(target=self.loop, daemon=True).start()
        self.loop()

    def loop(self):
        while True:
            try:
                request = os.read(self.device, LONGEST_WRITE + 4096)
            except OSError as error:
                if error.errno in (errno.ENOENT, errno.EINTR, errno.EAGAIN):  # it was interrupted meanwhile
                    continue
                os._exit(0)  # unmounted
            _, operation, unique, node, *_ = IN.unpack_from(request)
            if operation not in NO_HANDLE_NEEDED:
                time.sleep(self.delay)
            do = OPERATIONS.get(operation)
            code, answer = 0, b""
            if do and node in self.inodes:
                self.stalls.wait(do.__name__, self.inodes[node].name)
            try:
                if do is None:
                    code = errno.ENOSYS
                else:
                    answer = do(self, node, request[IN.size:])
            except OSError as error:
                code = error.errno
            if answer is not None:
                self.answer(unique, code, answer if code == 0 else b"")

    def answer(self, unique, code, content):
        try:
            os.write(self.device, OUT.pack(OUT.size + len(content), -code if unique else code, unique) + content)
        except OSError as error:
            if error.errno != errno.ENOENT:  # nobody waits for it, or the kernel does not know the name
                raise

    def timeouts(self):
        return int(self.memory), int(self.memory % 1 * 1e9)

    # ---- what the kernel knows

    def at(self, node):
        with self.lock:
            return self.inodes[node].descriptor

    def attributes(self, of):
        found = os.fstat(of)
        if found.st_nlink == 0:
            raise OSError(errno.ESTALE, "")
        times = [found.st_atime_ns, found.st_mtime_ns, found.st_ctime_ns]
        return ATTRIBUTES.pack(found.st_ino, found.st_size, found.st_blocks, *(t // 10**9 for t in times), *(t % 10**9 for t in times),
                               found.st_mode, found.st_nlink, found.st_uid, found.st_gid, found.st_rdev, 4096, 0)

    def attributes_answer(self, of):
        return struct.pack("<QII", *self.timeouts(), 0) + self.attributes(of)

    def entry(self, parent, name):
        seconds, nanoseconds = self.timeouts()
        try:
            found = os.open(name, os.O_PATH | os.O_NOFOLLOW, dir_fd=self.at(parent))
        except FileNotFoundError:
            with self.lock:
                self.inodes[parent].names.add(name)
            return struct.pack("<4Q2I", 0, 0, seconds, 0, nanoseconds, 0) + bytes(ATTRIBUTES.size)
        known = os.fstat(found)
        with self.lock:
            key = (known.st_dev, known.st_ino)
            number = self.numbers.get(key)
            if number is None:
                self.last += 1
                number = self.numbers[key] = self.last
                self.inodes[number] = Inode(found, name)
            else:
                os.close(found)
            self.inodes[number].lookups += 1
            self.inodes[parent].names.add(name)
            descriptor = self.inodes[number].descriptor
        self.flush_all(number)
        return struct.pack("<4Q2I", number, 0, seconds, seconds, nanoseconds, nanoseconds) + self.attributes(descriptor)

    def forget(self, node, lookups):
        with self.lock:
            inode = self.inodes.get(node)
            if inode is None or node == 1:
                return
            inode.lookups -= lookups
            if inode.lookups > 0:
                return
            found = os.fstat(inode.descriptor)
            self.numbers.pop((found.st_dev, found.st_ino), None)
            del self.inodes[node]
            os.close(inode.descriptor)

    @contextlib.contextmanager
    def changing(self, *nodes):
        """While this node changes names of directories. It still notices what others have changed before."""
        with self.lock:
            inodes = sorted({self.inodes[node] for node in nodes}, key=lambda inode: os.fstat(inode.descriptor).st_ino)
        locks = []
        try:
            for inode in inodes:
                locks.append(os.open(f"/proc/self/fd/{inode.descriptor}", os.O_RDONLY | os.O_DIRECTORY))
                fcntl.flock(locks[-1], fcntl.LOCK_EX)
            alone = [inode.now() == inode.version for inode in inodes]
            yield
            for inode, nobody_else in zip(inodes, alone):
                inode.listed = (0.0, [])
                if nobody_else:
                    inode.version = inode.now()
        finally:
            for lock in locks:
                os.close(lock)

    def flush_all(self, node):
        with self.lock:
            of = [handle for its, handle in self.handles.values() if its == node]
        for handle in of:
            handle.flush()

    def opened(self, node, descriptor):
        with self.lock:
            self.last += 1
            self.handles[self.last] = (node, Handle(descriptor))
            return self.last

    def handle(self, number):
        with self.lock:
            return self.handles[number][1]

    # ---- operations, as linux/fuse.h has them

    def init(self, _, body):
        self.minor = struct.unpack_from("<II", body)[1]
        return struct.pack("<IIIIHHIIHHII", 7, 31, 1 << 17, FLOCK_LOCKS, 16, 12, LONGEST_WRITE, 1, 0, 0, 0, 0) + bytes(24)

    def lookup(self, node, body):
        return self.entry(node, body[:-1])

    def do_forget(self, node, body):
        self.forget(node, struct.unpack_from("<Q", body)[0])

    def batch_forget(self, _, body):
        for i in range(struct.unpack_from("<I", body)[0]):
            self.forget(*struct.unpack_from("<QQ", body, 8 + 16 * i))

    def getattr(self, node, _):
        self.flush_all(node)
        return self.attributes_answer(self.at(node))

    def setattr(self, node, body):
        valid, _, _, size, _, *rest = struct.unpack_from("<IIQQQ3Q8I", body)
        seconds, nanoseconds, mode = rest[0:3], rest[3:6], rest[6]
        path = f"/proc/self/fd/{self.at(node)}"
        self.flush_all(node)
        if os.fstat(self.at(node)).st_nlink == 0:
            raise OSError(errno.ESTALE, "")
        if valid & 1:
            os.chmod(path, stat.S_IMODE(mode))
        if valid & 8:
            os.truncate(path, size)
        if valid & (16 | 32):
            before, times = os.stat(path), []
            for i, (its, now) in enumerate(NOW_OR_GIVEN.values()):
                kept = before.st_mtime_ns if i else before.st_atime_ns
                times.append(time.time_ns() if valid & now else seconds[i] * 10**9 + nanoseconds[i] if valid & its else kept)
            os.utime(path, ns=tuple(times))
        return self.attributes_answer(self.at(node))

    def readlink(self, node, _):
        return os.fsencode(os.readlink("", dir_fd=self.at(node)))

    def symlink(self, node, body):
        name, target = body[:-1].split(b"\0")
        with self.changing(node):
            os.symlink(target, name, dir_fd=self.at(node))
        return self.entry(node, name)

    def mkdir(self, node, body):
        name = body[8:-1]
        with self.changing(node):
            os.mkdir(name, struct.unpack_from("<I", body)[0], dir_fd=self.at(node))
        return self.entry(node, name)

    def unlink(self, node, body):
        with self.changing(node):
            os.unlink(body[:-1], dir_fd=self.at(node))
        return b""

    def rmdir(self, node, body):
        with self.changing(node):
            os.rmdir(body[:-1], dir_fd=self.at(node))
        return b""

    def rename(self, node, body, names=8):
        to = struct.unpack_from("<Q", body)[0]
        old, new = body[names:-1].split(b"\0")
        with self.changing(node, to):
            os.rename(old, new, src_dir_fd=self.at(node), dst_dir_fd=self.at(to))
        return b""

    def rename2(self, node, body):
        if struct.unpack_from("<QI", body)[1] != 0:
            raise OSError(errno.EINVAL, "")
        return self.rename(node, body, 16)

    def link(self, node, body):
        old, name = struct.unpack_from("<Q", body)[0], body[8:-1]
        with self.changing(node):
            os.link(f"/proc/self/fd/{self.at(old)}", name, dst_dir_fd=self.at(node), follow_symlinks=True)
        return self.entry(node, name)

    def open(self, node, body):
        flags = struct.unpack_from("<I", body)[0] & ~(os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_NONBLOCK)
        if os.fstat(self.at(node)).st_nlink == 0:
            raise OSError(errno.ESTALE, "")
        if flags & os.O_ACCMODE == os.O_WRONLY:
            flags = flags & ~os.O_ACCMODE | os.O_RDWR
        number = self.opened(node, os.open(f"/proc/self/fd/{self.at(node)}", flags & ~os.O_APPEND))
        self.answer(0, INVALIDATE_INODE, struct.pack("<Qqq", node, -1, 0))
        return struct.pack("<QIi", number, 0, 0)

    def create(self, node, body):
        flags, mode, name = *struct.unpack_from("<II", body), body[16:-1]
        flags = flags & os.O_EXCL | os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW
        with self.changing(node):
            descriptor = os.open(name, flags, stat.S_IMODE(mode), dir_fd=self.at(node))
        entry = self.entry(node, name)
        return entry + struct.pack("<QIi", self.opened(struct.unpack_from("<Q", entry)[0], descriptor), 0, 0)

    def read(self, node, body):
        number, offset, size = struct.unpack_from("<QQI", body)
        self.flush_all(node)
        return os.pread(self.handle(number).descriptor, size, offset)

    def write(self, _, body):
        number, offset, size = struct.unpack_from("<QQI", body)
        self.handle(number).pending.append((offset, body[40:40 + size]))
        return struct.pack("<II", size, 0)

    def statfs(self, node, _):
        found = os.statvfs(f"/proc/self/fd/{self.at(node)}")
        return struct.pack("<5Q10I", found.f_blocks, found.f_bfree, found.f_bavail, found.f_files, found.f_ffree, found.f_bsize,
                           found.f_namemax, found.f_frsize, *[0] * 7)

    def flush(self, _, body):
        self.handle(struct.unpack_from("<Q", body)[0]).flush()
        return b""

    def release(self, _, body):
        with self.lock:
            handle = self.handles.pop(struct.unpack_from("<Q", body)[0])[1]
        handle.flush()
        os.close(handle.descriptor)
        return b""

    def setlk(self, _, body):
        number, _, _, _, kind, _, _ = struct.unpack_from("<QQQQIII", body)
        how = {fcntl.F_RDLCK: fcntl.LOCK_SH, fcntl.F_WRLCK: fcntl.LOCK_EX, fcntl.F_UNLCK: fcntl.LOCK_UN}[kind]
        fcntl.flock(self.handle(number).descriptor, how | fcntl.LOCK_NB)
        return b""

    def opendir(self, node, _):
        """Names are asked for again if another node has changed some of them since this one looked."""
        with self.lock:
            inode = self.inodes[node]
            version, names = inode.now(), set()
            if version != inode.version:
                inode.version, inode.names, names = version, set(), inode.names
        for name in names:
            self.answer(0, INVALIDATE_ENTRY, struct.pack("<QII", node, len(name), 0) + name + b"\0")
        return struct.pack("<QIi", self.opened(node, os.open(f"/proc/self/fd/{self.at(node)}", os.O_RDONLY | os.O_DIRECTORY)), 0, 0)

    def readdir(self, node, body):
        number, offset, size = struct.unpack_from("<QQI", body)
        handle = self.handle(number)
        if offset == 0:
            with self.lock:
                when, names = self.inodes[node].listed
            if time.monotonic() - when > self.memory:
                with os.scandir(handle.descriptor) as found:
                    names = [(os.fsencode(one.name), one.inode(), stat.S_IFDIR if one.is_dir(follow_symlinks=False) else
                              stat.S_IFLNK if one.is_symlink() else stat.S_IFREG) for one in found]
                with self.lock:
                    self.inodes[node].listed = (time.monotonic(), names)
            handle.entries = names
        answer = b""
        for i, (name, inode, kind) in enumerate(handle.entries[offset:], offset):
            entry = struct.pack("<QQII", inode, i + 1, len(name), kind >> 12) + name
            entry += bytes(-len(entry) % 8)
            if len(answer) + len(entry) > size:
                break
            answer += entry
        return answer

    def nothing(self, *_):
        return b""


OPERATIONS = {1: Mount.lookup, 2: Mount.do_forget, 3: Mount.getattr, 4: Mount.setattr, 5: Mount.readlink, 6: Mount.symlink, 9: Mount.mkdir,
              10: Mount.unlink, 11: Mount.rmdir, 12: Mount.rename, 13: Mount.link, 14: Mount.open, 15: Mount.read, 16: Mount.write,
              17: Mount.statfs, 18: Mount.release, 20: Mount.flush, 25: Mount.flush, 26: Mount.init, 27: Mount.opendir, 28: Mount.readdir,
              29: Mount.release, 30: Mount.nothing, 32: Mount.setlk, 35: Mount.create, 36: lambda *_: None, 42: Mount.batch_forget,
              45: Mount.rename2}


def missing():
    """Why no folder can be mounted here, or None."""
    try:
        os.close(os.open("/dev/fuse", os.O_RDWR))
    except OSError as error:
        return f"/dev/fuse: {error.strerror}"
    return None


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--delay", type=float, default=0.02)
    parser.add_argument("--memory", type=float, default=3)
    parser.add_argument("--orders", default="", help="a file")
    mount = Mount(**vars(parser.parse_args()))
    print("ready", flush=True)
    sys.exit(mount.serve())
