package dev.sluice.system;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.BsdConstants;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Fpunchhole;
import dev.sluice.calls.layout.Fstore;
import dev.sluice.calls.layout.Radvisory;
import dev.sluice.calls.layout.Stat;
import dev.sluice.handle.FileOption;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The file calls of macOS, most of which are commands of {@code fcntl}. */
abstract class MacosFiles extends BsdSystem {

    /** The unit of {@code st_blocks}. */
    private static final int BLOCK_UNIT = 512;
    /** Maximum number of bytes of one advice, whose count is an {@code int}. */
    private static final int MAX_ADVICE = 1 << 30;
    /** Offset of the result of {@code fstat} in scratch memory. */
    private static final int STATUS = Scratch.VECTOR;

    MacosFiles(Binding binding) {
        super(binding);
    }

    @Override
    int prepareFile(int file, int directory, Scratch scratch, OpenOptions options) {
        int result = options.has(FileOption.DIRECT) ? posix.fcntl(file, BsdConstants.F_NOCACHE, 1) : 0;
        return result < 0 ? result : super.prepareFile(file, directory, scratch, options);
    }

    // Unaligned transfers use the cache, and are only slower.
    @Override
    public int directAlignment(long file, Scratch scratch) {
        int result = bsd.fstat((int) file, scratch.address(STATUS));
        int block = scratch.memory().getInt(STATUS + Stat.BLOCK_SIZE);
        return result < 0 ? result : scratch.direct(1, block, block);
    }

    // After fsync and fdatasync, data may still be in the drive's cache. Some file systems, such as those of other
    // machines, do not support F_FULLFSYNC. After another error fsync might succeed although data has been lost.
    @Override
    public int force(long file) {
        int result = posix.fcntl((int) file, BsdConstants.F_FULLFSYNC, 0);
        return result >= 0 ? result : switch (Errno.of(result)) {
            case EOPNOTSUPP, EINVAL, ENOTTY -> super.force(file);
            default -> result;
        };
    }

    @Override
    public int forceData(long file) {
        return force(file);
    }

    @Override
    final boolean canLock(long position, long length) {
        return true;
    }

    @Override
    public final int lock(long file, long position, long length, boolean shared, boolean waits) {
        return lockRange(file, position, length, shared, waits);
    }

    @Override
    public final int unlock(long file, long position, long length) {
        return unlockRange(file, position, length);
    }

    @Override
    public boolean canExchange() {
        return true;
    }

    @Override
    public int renameUnlessExists(long directory, Path name, Path newName) {
        return rename(directory, name, newName, BsdConstants.RENAME_EXCL);
    }

    @Override
    public int exchange(long directory, Path name, Path other) {
        return rename(directory, name, other, BsdConstants.RENAME_SWAP);
    }

    private int rename(long directory, Path name, Path newName, int flags) {
        try (Scratch before = Scratch.withPath(binding, name); Scratch after = Scratch.withPath(binding, newName)) {
            return portable(bsd.renameatx_np((int) directory, before.address(Scratch.COPY), (int) directory,
                    after.address(Scratch.COPY), flags));
        }
    }

    /** {@return the result, with the other number that macOS has for {@code EOPNOTSUPP} replaced} */
    private static int portable(int result) {
        return Errno.of(result) == Errno.EOPNOTSUPP ? -Errno.EOPNOTSUPP.number() : result;
    }

    @Override
    public boolean has(RangeCall call) {
        return switch (call) {
            case ALLOCATE, PUNCH_HOLE, PREFETCH -> true;
            case EVICT, WRITE_BACK -> false;
        };
    }

    @Override
    public int call(RangeCall call, long file, long position, long length) {
        return switch (call) {
            case ALLOCATE -> allocate(file, position + length);
            case PUNCH_HOLE -> punchHole(file, position, length);
            case PREFETCH -> prefetch(file, position, length);
            case EVICT, WRITE_BACK -> super.call(call, file, position, length);
        };
    }

    // Space can be reserved only behind the physical end of the file, and is freed when the file is closed, so the end
    // is moved as well. That truncates a file which has grown meanwhile, and no call compares atomically.
    private int allocate(long file, long end) {
        try (Scratch scratch = Scratch.borrow(binding)) {
            ByteBuffer memory = scratch.memory();
            int result = bsd.fstat((int) file, scratch.address(STATUS));
            long size = memory.getLong(STATUS + Stat.FILE_SIZE);
            if (result < 0 || size >= end) {
                return result;
            }
            long reserved = Math.max(size, memory.getLong(STATUS + Stat.BLOCKS) * BLOCK_UNIT);
            if (reserved < end) {
                Fstore.set(memory, Scratch.VALUE, end - reserved);
                result = portable(fcntl((int) file, BsdConstants.F_PREALLOCATE, scratch.address(Scratch.VALUE)));
            }
            return result < 0 ? result : truncate(file, end);
        }
    }

    /** Frees whole blocks, since holes have to be aligned to them, and zeroes the bytes before and behind them. */
    private int punchHole(long file, long position, long length) {
        try (Scratch scratch = Scratch.withCapacity(binding, Scratch.COPY_SIZE)) {
            ByteBuffer memory = scratch.memory();
            int result = bsd.fstat((int) file, scratch.address(STATUS));
            // What is behind the end would extend the file.
            long end = Math.min(position + length, memory.getLong(STATUS + Stat.FILE_SIZE));
            if (result < 0 || position >= end) {
                return result;
            }
            int block = Math.max(1, memory.getInt(STATUS + Stat.BLOCK_SIZE));
            long first = position + Math.min((block - position % block) % block, end - position);
            long last = Math.max(first, end - end % block);
            // Zeros that are written to such a file go to its end.
            if (first - position + end - last > 0) {
                result = posix.fcntl((int) file, FileConstants.F_GETFL, 0);
                if (result < 0 || (result & FileConstants.O_APPEND) != 0) {
                    return result < 0 ? result : -Errno.EOPNOTSUPP.number();
                }
            }
            if (first < last) {
                Fpunchhole.set(memory, Scratch.VALUE, first, last - first);
                result = portable(fcntl((int) file, BsdConstants.F_PUNCHHOLE, scratch.address(Scratch.VALUE)));
            }
            result = result < 0 ? result : zero(file, position, first, scratch);
            return result < 0 ? result : zero(file, last, end, scratch);
        }
    }

    private int zero(long file, long from, long to, Scratch scratch) {
        int part = (int) Math.min(to - from, Scratch.COPY_SIZE);
        for (int i = 0; i < part; i += Long.BYTES) {
            scratch.memory().putLong(Scratch.COPY + i, 0);
        }
        long at = from;
        while (at < to) {
            long written = write(file, scratch.address(Scratch.COPY), Math.min(to - at, part), at);
            if (written <= 0) {
                return written < 0 ? (int) written : -Errno.EIO.number();
            }
            at += written;
        }
        return 0;
    }

    private int prefetch(long file, long position, long length) {
        long size = size(file);
        if (size < 0) {
            return (int) size;
        }
        // The system refuses to read ahead from behind the end.
        long rest = Math.min(length, size - position);
        int result = 0;
        try (Scratch scratch = Scratch.forWait(binding)) {
            long at = position;
            while (rest > 0 && result >= 0) {
                int part = (int) Math.min(rest, MAX_ADVICE);
                Radvisory.set(scratch.memory(), Scratch.VALUE, at, part);
                result = portable(fcntl((int) file, BsdConstants.F_RDADVISE, scratch.address(Scratch.VALUE)));
                at += part;
                rest -= part;
            }
        }
        return result;
    }
}
