package dev.sluice.system;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.LinuxFileConstants;
import dev.sluice.calls.layout.Mmsghdr;
import dev.sluice.calls.layout.OpenHow;
import dev.sluice.calls.layout.ResourceConstants;
import dev.sluice.calls.layout.SockDiagConstants;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.calls.layout.Statx;
import dev.sluice.calls.layout.UdpConstants;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Linux. */
final class LinuxSystem extends UnixSystem {

    private static final int SOCKET_FLAGS = SocketConstants.SOCK_NONBLOCK | SocketConstants.SOCK_CLOEXEC;

    /**
     * Offset of {@code tcpi_bytes_acked} in the kernel's {@code struct tcp_info}; the C library's structure lacks it.
     */
    private static final int BYTES_ACKED = 120;
    private static final int MAX_RACES = 100;
    /** The length of the longest blocks that devices have. */
    private static final int LONGEST_BLOCK = 4096;
    /** The last position that a byte could have. */
    private static final long LAST_POSITION = Long.MAX_VALUE - 1;
    private static final int DROPS = SockDiagConstants.SK_MEMINFO_DROPS * Integer.BYTES;

    private final Linux linux;

    LinuxSystem(Binding binding) {
        super(binding);
        this.linux = binding.linux();
    }

    @Override
    public long openSocket(int family, int type) {
        return posix.socket(family, type | SOCKET_FLAGS, 0);
    }

    @Override
    public long accept(long listener, long address, long addressLength) {
        return linux.accept4((int) listener, address, addressLength, SOCKET_FLAGS);
    }

    @Override
    public int status(long file, Scratch scratch) {
        int result = linux.statx((int) file, scratch.address(Scratch.COPY), StatxResult.FLAGS, StatxResult.MASK,
                scratch.address(Scratch.VECTOR));
        StatxResult.store(scratch.memory(), Scratch.VECTOR, scratch);
        return result;
    }

    @Override
    long openBeneath(int directory, Scratch scratch, int flags, int mode) {
        OpenHow.setBeneath(scratch.memory(), Scratch.MESSAGE, flags, mode);
        int file;
        int attempts = 0;
        do {
            file = linux.openat2(directory, scratch.address(Scratch.COPY), scratch.address(Scratch.MESSAGE),
                    OpenHow.SIZE);
            // A directory of a path that contains ".." was renamed concurrently (openat2(2)).
        } while (Errno.EAGAIN.is(file) && ++attempts < MAX_RACES);
        return file;
    }

    // Before Linux 6.1, and on file systems that do not report it, the block size as far as devices have such blocks:
    // file systems on a network and those with large records give the size of an efficient transfer, up to megabytes.
    @Override
    public int directAlignment(long file, Scratch scratch) {
        ByteBuffer memory = scratch.memory();
        int status = Scratch.VECTOR;
        memory.put(Scratch.VALUE, (byte) 0);
        int result = linux.statx((int) file, scratch.address(Scratch.VALUE),
                FileConstants.AT_EMPTY_PATH | FileConstants.AT_STATX_DONT_SYNC,
                Statx.BASIC_STATS | Statx.DIOALIGN | Statx.DIO_READ_ALIGN, scratch.address(status));
        if (result < 0) {
            return result;
        }
        int known = memory.getInt(status + Statx.MASK);
        if ((known & Statx.DIOALIGN) == 0) {
            int size = memory.getInt(status + Statx.BLOCK_SIZE);
            int block = size > 0 && size < LONGEST_BLOCK && Integer.bitCount(size) == 1 ? size : LONGEST_BLOCK;
            return scratch.direct(block, block, block);
        }
        int write = memory.getInt(status + Statx.DIO_OFFSET_ALIGN);
        int read = (known & Statx.DIO_READ_ALIGN) == 0 ? 0 : memory.getInt(status + Statx.DIO_READ_OFFSET_ALIGN);
        return scratch.direct(memory.getInt(status + Statx.DIO_MEM_ALIGN), write, read == 0 ? write : read);
    }

    @Override
    public int atomicLengths(long file, Scratch scratch) {
        ByteBuffer memory = scratch.memory();
        int status = Scratch.VECTOR;
        memory.put(Scratch.VALUE, (byte) 0);
        int result = linux.statx((int) file, scratch.address(Scratch.VALUE),
                FileConstants.AT_EMPTY_PATH | FileConstants.AT_STATX_DONT_SYNC, Statx.WRITE_ATOMIC,
                scratch.address(status));
        if (result < 0) {
            return result;
        }
        if ((memory.getInt(status + Statx.MASK) & Statx.WRITE_ATOMIC) == 0) {
            return scratch.atomic(0, 0);
        }
        return scratch.atomic(memory.getInt(status + Statx.ATOMIC_WRITE_UNIT_MIN),
                memory.getInt(status + Statx.ATOMIC_WRITE_UNIT_MAX));
    }

    // The flags are checked first, and then nothing is moved where no file can have a byte.
    @Override
    public int requireDontcache(long file) {
        try (Scratch scratch = Scratch.forWait(binding)) {
            long vector = scratch.address(Scratch.VALUE);
            Iovec.set(scratch.memory(), Scratch.VALUE, vector + Iovec.SIZE, 1);
            long result = repeated(() -> (int) linux.preadv2((int) file, vector, 1, LAST_POSITION,
                    LinuxFileConstants.RWF_DONTCACHE));
            if (Errno.EBADF.is(result)) {
                // The file is open for writing only.
                result = repeated(() -> (int) linux.pwritev2((int) file, vector, 1, LAST_POSITION,
                        LinuxFileConstants.RWF_DONTCACHE | LinuxFileConstants.RWF_NOAPPEND));
                result = Errno.EFBIG.is(result) ? 0 : result;
            }
            return result == 0 ? 0 : -Errno.EOPNOTSUPP.number();
        }
    }

    @Override
    public long read(long file, long address, long length, long position, int flags) {
        try (Scratch scratch = Scratch.forWait(binding)) {
            Iovec.set(scratch.memory(), Scratch.VALUE, address, Math.min(length, Long.MAX_VALUE - position));
            return linux.preadv2((int) file, scratch.address(Scratch.VALUE), 1, position, flags);
        }
    }

    @Override
    public long write(long file, long address, long length, long position, int flags) {
        try (Scratch scratch = Scratch.forWait(binding)) {
            Iovec.set(scratch.memory(), Scratch.VALUE, address, length);
            return linux.pwritev2((int) file, scratch.address(Scratch.VALUE), 1, position, flags);
        }
    }

    @Override
    public long readVector(long file, long vector, int elements, long position, int flags) {
        return linux.preadv2((int) file, vector, elements, position, flags);
    }

    @Override
    public long writeVector(long file, long vector, int elements, long position, int flags) {
        return linux.pwritev2((int) file, vector, elements, position, flags);
    }

    @Override
    public boolean canExchange() {
        return true;
    }

    @Override
    public int renameUnlessExists(long directory, Path name, Path newName) {
        return rename(directory, name, newName, LinuxFileConstants.RENAME_NOREPLACE);
    }

    @Override
    public int exchange(long directory, Path name, Path other) {
        return rename(directory, name, other, LinuxFileConstants.RENAME_EXCHANGE);
    }

    private int rename(long directory, Path name, Path newName, int flags) {
        try (Scratch before = Scratch.withPath(binding, name); Scratch after = Scratch.withPath(binding, newName)) {
            return linux.renameat2((int) directory, before.address(Scratch.COPY), (int) directory,
                    after.address(Scratch.COPY), flags);
        }
    }

    @Override
    public boolean has(RangeCall call) {
        return true;
    }

    @Override
    public int call(RangeCall call, long file, long position, long length) {
        return switch (call) {
            case ALLOCATE, PUNCH_HOLE -> linux.fallocate((int) file, call.flags(), position, length);
            case PREFETCH, EVICT -> linux.posix_fadvise((int) file, position, length, call.flags());
            case WRITE_BACK -> linux.sync_file_range((int) file, position, length, call.flags());
        };
    }

    @Override
    int fcntl(int file, int command, long argument) {
        return linux.fcntl_lock(file, command, argument);
    }

    @Override
    public long copy(long from, long position, long to, long toPosition, long count, Scratch scratch) {
        int at = Scratch.VALUE;
        scratch.memory().putLong(at, position).putLong(at + Long.BYTES, toPosition);
        return copiedOrUnable(linux.copy_file_range((int) from, scratch.address(at), (int) to,
                scratch.address(at + Long.BYTES), count, 0));
    }

    @Override
    public long receiveFrom(long socket, long address, long length, Scratch scratch) {
        scratch.memory().putInt(Scratch.LENGTH, SockaddrStorage.SIZE);
        return posix.recvfrom((int) socket, address, length, SocketConstants.MSG_TRUNC,
                scratch.address(Scratch.ADDRESS), scratch.address(Scratch.LENGTH));
    }

    @Override
    public int receiveFrom(long socket, DatagramArray datagrams) {
        int result = linux.recvmmsg((int) socket, datagrams.messages(), datagrams.capacity(),
                SocketConstants.MSG_TRUNC, 0);
        if (Errno.ENOSYS.is(result)) {
            // An old C library or a sandbox may lack the call.
            result = super.receiveFrom(socket, datagrams);
        }
        if (result > 0) {
            datagrams.takeMessages(result);
        }
        return result;
    }

    // Unlike recvfrom, recvmsg reports which datagrams have been coalesced.
    @Override
    int receiveAt(long socket, DatagramArray datagrams, int index, Scratch scratch) {
        int result = (int) posix.recvmsg((int) socket, datagrams.messagesFrom(index) + Mmsghdr.HDR,
                SocketConstants.MSG_TRUNC);
        if (result >= 0) {
            datagrams.take(index, result);
        }
        return result;
    }

    @Override
    public boolean enableReceiveOffload(long socket) {
        return setsockopt((int) socket, UdpConstants.SOL_UDP, UdpConstants.UDP_GRO, 1) == 0;
    }

    /** Before Linux 4.18, and on Unix domain sockets, a combined message would be sent as one datagram. */
    @Override
    public boolean supportsSegmentation(long socket) {
        try (Scratch scratch = Scratch.borrow(binding)) {
            return ask(socket, UdpConstants.SOL_UDP, UdpConstants.UDP_SEGMENT, scratch) == 0;
        }
    }

    private int ask(long socket, int level, int option, Scratch scratch) {
        scratch.memory().putInt(Scratch.LENGTH, Scratch.VALUE_SIZE);
        return posix.getsockopt((int) socket, level, option, scratch.address(Scratch.VALUE),
                scratch.address(Scratch.LENGTH));
    }

    /** Not reported before Linux 4.1, nor for sockets other than those of TCP. */
    @Override
    public long acknowledged(long socket) {
        try (Scratch scratch = Scratch.borrow(binding)) {
            scratch.memory().putInt(Scratch.LENGTH, BYTES_ACKED + Long.BYTES);
            int result = posix.getsockopt((int) socket, SocketConstants.IPPROTO_TCP, SocketConstants.TCP_INFO,
                    scratch.address(Scratch.ADDRESS), scratch.address(Scratch.LENGTH));
            return result < 0 || scratch.memory().getInt(Scratch.LENGTH) < BYTES_ACKED + Long.BYTES ? -1
                    : scratch.memory().getLong(Scratch.ADDRESS + BYTES_ACKED);
        }
    }

    @Override
    public long dropped(long socket) {
        try (Scratch scratch = Scratch.borrow(binding)) {
            int result = ask(socket, SocketConstants.SOL_SOCKET, SocketConstants.SO_MEMINFO, scratch);
            if (result < 0) {
                // Before Linux 4.12, and in sandboxes, there is no such option.
                return result;
            }
            return scratch.memory().getInt(Scratch.LENGTH) <= DROPS ? -Errno.ENOPROTOOPT.number()
                    : Integer.toUnsignedLong(scratch.memory().getInt(Scratch.VALUE + DROPS));
        }
    }

    @Override
    public int reportDrops(long socket) {
        int result = setsockopt((int) socket, SocketConstants.SOL_SOCKET, SocketConstants.SO_RXQ_OVFL, 1);
        // Sandboxes that emulate the kernel lack the option; then drops are not reported.
        return Errno.ENOPROTOOPT.is(result) ? 0 : result;
    }

    @Override
    public int sendTo(long socket, DatagramArray datagrams, int first, int count) {
        DatagramRuns runs = datagrams.runs();
        int messages = runs == null ? count : runs.combine(first, count);
        if (messages == count) {
            return sendSingly(socket, datagrams, first, count);
        }
        int result = linux.sendmmsg((int) socket, runs.messages(), messages, SocketConstants.MSG_NOSIGNAL);
        if (result > 0) {
            return runs.datagrams(result);
        }
        if (Errno.ENOSYS.is(result)) {
            return sendSingly(socket, datagrams, first, count);
        }
        if (!runs.mayBeUnsupported(result)) {
            return result;
        }
        int sent = sendSingly(socket, datagrams, first, runs.datagrams(1));
        if (sent > 0) {
            // The datagrams themselves can be sent, so the error concerned the segmentation.
            runs.excludeLength(first, result);
        }
        return sent;
    }

    private int sendSingly(long socket, DatagramArray datagrams, int first, int count) {
        int result = linux.sendmmsg((int) socket, datagrams.messagesFrom(first), count, SocketConstants.MSG_NOSIGNAL);
        return Errno.ENOSYS.is(result) ? super.sendTo(socket, datagrams, first, count) : result;
    }

    @Override
    public long receiveMessage(long socket, long message, ByteBuffer memory, int at) {
        return posix.recvmsg((int) socket, message, SocketConstants.MSG_TRUNC);
    }

    @Override
    public long sendBeforeMore(long socket, long address, long length) {
        return posix.send((int) socket, address, length, SocketConstants.MSG_NOSIGNAL | SocketConstants.MSG_MORE);
    }

    // The kernel checks for an end beyond the largest number before it shortens the range. EINVAL means that it cannot
    // send from this file (sendfile(2)), EOVERFLOW that the file system has no such position, for which a read reports
    // the error.
    @Override
    public long sendFile(long socket, long file, long position, long count, ByteBuffer arguments, int at,
            long address) {
        arguments.putLong(at, position);
        long result = linux.sendfile((int) socket, (int) file, address, Math.min(count, Long.MAX_VALUE - position));
        return Errno.EINVAL.is(result) || Errno.EOVERFLOW.is(result) ? -Errno.ENOSYS.number() : result;
    }

    @Override
    public int setNiceValue(int value) {
        return linux.setpriority(ResourceConstants.PRIO_PROCESS, 0, value);
    }

    @Override
    public Linux linux(String subject, String instead) {
        return linux;
    }

    @Override
    int pipe(Scratch scratch) {
        return linux.pipe2(scratch.address(Scratch.VALUE), FileConstants.O_NONBLOCK | FileConstants.O_CLOEXEC);
    }
}
