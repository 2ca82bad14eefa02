package dev.sluice.system;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.BsdConstants;
import dev.sluice.calls.layout.SpacectlRange;

/** FreeBSD, which has calls on ranges of files that OpenBSD lacks. */
final class FreeBsdSystem extends BsdSystem {

    private static final int NO_FILE = -1;

    FreeBsdSystem(Binding binding) {
        super(binding);
    }

    @Override
    public boolean has(RangeCall call) {
        return switch (call) {
            case ALLOCATE, PREFETCH, EVICT -> true;
            // Since FreeBSD 14.
            case PUNCH_HOLE -> !Errno.ENOSYS.is(punchHole(NO_FILE, 0, 1));
            case WRITE_BACK -> false;
        };
    }

    @Override
    public int call(RangeCall call, long file, long position, long length) {
        return switch (call) {
            case ALLOCATE -> allocate(file, position, length);
            case PREFETCH, EVICT -> bsd.posix_fadvise((int) file, position, length, call.flags());
            case PUNCH_HOLE -> {
                int result = punchHole(file, position, length);
                yield Errno.ENOSYS.is(result) ? super.call(call, file, position, length) : result;
            }
            case WRITE_BACK -> super.call(call, file, position, length);
        };
    }

    // For a file system that cannot, such as ZFS, EINVAL (posix_fallocate(2)); the range is one.
    private int allocate(long file, long position, long length) {
        int result = bsd.posix_fallocate((int) file, position, length);
        return Errno.EINVAL.is(result) ? -Errno.EOPNOTSUPP.number() : result;
    }

    // A call may end before the range does, and returns the rest (fspacectl(2)).
    private int punchHole(long file, long position, long length) {
        try (Scratch scratch = Scratch.forWait(binding)) {
            SpacectlRange.set(scratch.memory(), Scratch.VALUE, position, length);
            long range = scratch.address(Scratch.VALUE);
            int result;
            do {
                result = bsd.fspacectl((int) file, BsdConstants.SPACECTL_DEALLOC, range, 0, range);
            } while (result >= 0 && scratch.memory().getLong(Scratch.VALUE + SpacectlRange.LENGTH) > 0);
            return result;
        }
    }

    @Override
    public long copy(long from, long position, long to, long toPosition, long count, Scratch scratch) {
        int at = Scratch.VALUE;
        scratch.memory().putLong(at, position).putLong(at + Long.BYTES, toPosition);
        return copiedOrUnable(bsd.copy_file_range((int) from, scratch.address(at), (int) to,
                scratch.address(at + Long.BYTES), count, 0));
    }
}
