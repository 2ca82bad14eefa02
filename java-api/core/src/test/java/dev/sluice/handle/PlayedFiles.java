package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bsd;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.BsdConstants;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Fpunchhole;
import dev.sluice.calls.layout.Fstore;
import dev.sluice.calls.layout.LinuxFileConstants;
import dev.sluice.calls.layout.Radvisory;
import dev.sluice.calls.layout.SpacectlRange;
import dev.sluice.calls.layout.Stat;
import dev.sluice.calls.layout.Statx;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * The calls of macOS and FreeBSD on files, on Linux: those with another name or another structure there are made, and
 * what the manuals of these systems refuse is refused.
 */
final class PlayedFiles implements InvocationHandler {

    private static final int BLOCK = 4096;
    private static final int PART = 3 * BLOCK;
    private static final int SECTOR = 512;
    private static final int PUNCH = LinuxFileConstants.FALLOC_FL_PUNCH_HOLE | LinuxFileConstants.FALLOC_FL_KEEP_SIZE;

    private final Binding real;
    private final Linux linux;

    private PlayedFiles(Binding real) {
        this.real = real;
        this.linux = real.linux();
    }

    static Bsd of(Binding real) {
        return (Bsd) Proxy.newProxyInstance(Bsd.class.getClassLoader(), new Class<?>[] {Bsd.class},
                new PlayedFiles(real));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
        int fd = arguments != null && arguments[0] instanceof Integer number ? number : -1;
        return switch (method.getName()) {
            case "fcntl_pointer" -> fcntl(fd, (int) arguments[1], (long) arguments[2]);
            case "fstat" -> fstat(fd, (long) arguments[1]);
            case "renameatx_np" -> linux.renameat2(fd, (long) arguments[1], (int) arguments[2], (long) arguments[3],
                    (int) arguments[4] == BsdConstants.RENAME_EXCL ? LinuxFileConstants.RENAME_NOREPLACE
                            : LinuxFileConstants.RENAME_EXCHANGE);
            case "posix_fallocate" -> linux.fallocate(fd, 0, (long) arguments[1], (long) arguments[2]);
            case "posix_fadvise" -> linux.posix_fadvise(fd, (long) arguments[1], (long) arguments[2],
                    (int) arguments[3]);
            case "copy_file_range" -> linux.copy_file_range(fd, (long) arguments[1], (int) arguments[2],
                    (long) arguments[3], (long) arguments[4], (int) arguments[5]);
            case "fspacectl" -> structure((long) arguments[2], SpacectlRange.SIZE, range -> deallocate(fd, range));
            default -> throw new AssertionError(method + " does not exist here");
        };
    }

    private int structure(long address, int size, ToIntFunction<ByteBuffer> call) {
        try (MemoryBlock block = real.memory().wrap(address, size, () -> { })) {
            return call.applyAsInt(block.buffer());
        }
    }

    private int fcntl(int fd, int command, long argument) {
        if (command == BsdConstants.F_PREALLOCATE) {
            return structure(argument, Fstore.SIZE, store -> preallocate(fd, store));
        }
        if (command == BsdConstants.F_PUNCHHOLE) {
            return structure(argument, Fpunchhole.SIZE, hole -> punch(fd, hole));
        }
        return command == BsdConstants.F_RDADVISE ? structure(argument, Radvisory.SIZE, advice -> advise(fd, advice))
                : linux.fcntl_lock(fd, command, argument);
    }

    private int preallocate(int fd, ByteBuffer store) {
        if (store.getLong(Fstore.OFFSET) != 0 || store.getInt(Fstore.POSITION_MODE) != BsdConstants.F_PEOFPOSMODE) {
            return -Errno.EINVAL.number();
        }
        long end = status(fd, status -> Math.max(status.getLong(Statx.FILE_SIZE),
                status.getLong(Statx.BLOCKS) * SECTOR));
        return linux.fallocate(fd, LinuxFileConstants.FALLOC_FL_KEEP_SIZE, end, store.getLong(Fstore.LENGTH));
    }

    private int punch(int fd, ByteBuffer hole) {
        long first = hole.getLong(Fpunchhole.OFFSET);
        long length = hole.getLong(Fpunchhole.LENGTH);
        boolean aligned = first % BLOCK == 0 && length % BLOCK == 0 && length > 0;
        return aligned ? linux.fallocate(fd, PUNCH, first, length) : -Errno.EINVAL.number();
    }

    /** Ends before a long range does, as the call may, where a block does. */
    private int deallocate(int fd, ByteBuffer range) {
        long first = range.getLong(SpacectlRange.OFFSET);
        long length = range.getLong(SpacectlRange.LENGTH);
        // Linux refuses what is behind the last position of the file system.
        long rest = status(fd, status -> status.getLong(Statx.FILE_SIZE)) - first;
        long part = Math.min(length, Math.max(1, Math.min(rest, PART - first % BLOCK)));
        int result = linux.fallocate(fd, PUNCH, first, part);
        if (result >= 0) {
            SpacectlRange.set(range, 0, first + part, part < rest ? length - part : 0);
        }
        return result;
    }

    private int advise(int fd, ByteBuffer advice) {
        long first = advice.getLong(Radvisory.OFFSET);
        if (first >= status(fd, status -> status.getLong(Statx.FILE_SIZE))) {
            return -Errno.EFBIG.number();
        }
        return linux.posix_fadvise(fd, first, advice.getInt(Radvisory.COUNT), FileConstants.POSIX_FADV_WILLNEED);
    }

    /** {@return a member of what Linux reports of an open file} */
    private long status(int fd, ToLongFunction<ByteBuffer> member) {
        try (MemoryBlock block = real.memory().allocate(Statx.SIZE + Long.BYTES)) {
            block.buffer().putLong(Statx.SIZE, 0);
            int result = linux.statx(fd, block.address() + Statx.SIZE, FileConstants.AT_EMPTY_PATH, Statx.BASIC_STATS,
                    block.address());
            return result < 0 ? result : member.applyAsLong(block.buffer());
        }
    }

    private int fstat(int fd, long address) {
        long size = status(fd, status -> status.getLong(Statx.FILE_SIZE));
        long blocks = status(fd, status -> status.getLong(Statx.BLOCKS));
        return size < 0 ? (int) size : structure(address, Stat.SIZE, status -> {
            status.putLong(Stat.FILE_SIZE, size).putLong(Stat.BLOCKS, blocks).putInt(Stat.BLOCK_SIZE, BLOCK);
            return 0;
        });
    }
}
