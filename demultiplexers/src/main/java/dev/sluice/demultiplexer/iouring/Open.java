package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_OPENAT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_OPENAT2;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_STATX;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_UNLINKAT;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.OpenHow;
import dev.sluice.calls.layout.Statx;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.handle.FileOption;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.OperatingSystem;

/**
 * Opens a file. The kernel first tries with {@code O_NONBLOCK}, which it takes away again, and for a FIFO that decides
 * (fifo(7), seen on Linux 6.18): for reading it is open at once without a writer, for writing it fails with
 * {@code ENXIO} without a reader. With {@code O_CREAT} or {@code O_TRUNC} a thread of the kernel opens it from the
 * start, and waits for the other end as {@code open} does. Making it do so always would cost every open that thread,
 * and a few FIFOs all of them.
 */
final class Open extends Request<Opening> {

    /**
     * The kernel's internal code for a call that was interrupted before it did anything. It should never be visible
     * outside, but a cancelled open of a FIFO completes with it (seen on Linux 6.18).
     */
    private static final int ERESTARTSYS = 512;

    private static final int MAX_RACES = 100;

    /** What is asked of the kernel next. The last three are for a file that loses its name. */
    private enum Step { OPEN, FILE_STATUS, NAME_STATUS, UNLINK }

    private Step step = Step.OPEN;
    /** The file that has been opened but not adopted, or -1. */
    private int opened = -1;
    private int races;
    private long inode;
    private long device;

    Open(Requests requests, Opening asked) {
        super(requests, asked);
    }

    @Override
    void perform() {
        long path = asked.address();
        switch (step) {
            case OPEN -> performOpen(path);
            case FILE_STATUS -> {
                // No path, but the file itself.
                memory().structure().put(nameAt(), (byte) 0);
                performStatus(opened, memory().structureAddress() + Statx.SIZE, FileConstants.AT_EMPTY_PATH);
            }
            case NAME_STATUS -> performStatus(FileConstants.AT_FDCWD, path, FileConstants.AT_SYMLINK_NOFOLLOW);
            case UNLINK -> set(IORING_OP_UNLINKAT, FileConstants.AT_FDCWD, 0, path, 0, 0);
        }
    }

    private void performOpen(long path) {
        OpenOptions options = asked.options();
        int flags = options.flags();
        if (!options.has(FileOption.BENEATH)) {
            set(IORING_OP_OPENAT, FileConstants.AT_FDCWD, 0, path, options.mode(), flags);
            return;
        }
        OpenHow.setBeneath(memory().structure(), memory().structureAt(), flags, options.mode());
        set(IORING_OP_OPENAT2, FileConstants.AT_FDCWD, memory().structureAddress(), path, OpenHow.SIZE, 0);
    }

    private void performStatus(int from, long path, int flags) {
        set(IORING_OP_STATX, from, memory().structureAddress(), path, Statx.BASIC_STATS, flags);
    }

    private int nameAt() {
        return memory().structureAt() + Statx.SIZE;
    }

    @Override
    long most(int flags) {
        return ANY;
    }

    @Override
    void complete(int result, int flags) {
        if (Errno.EINTR.is(result) || result == -ERESTARTSYS || isRace(result)) {
            resume();
        } else if (step == Step.OPEN) {
            opened(result);
        } else if (result < 0) {
            // Without a name it is what it is to be.
            conclude(Errno.ENOENT.is(result) ? 0 : result);
        } else {
            succeeded();
        }
    }

    /** {@return whether a directory of a path with {@code ..} in it was renamed meanwhile (openat2(2))} */
    private boolean isRace(int result) {
        return Errno.EAGAIN.is(result) && step == Step.OPEN && asked.options().has(FileOption.BENEATH)
                && ++races < MAX_RACES;
    }

    private void opened(int result) {
        opened = result;
        if (result < 0) {
            conclude(result);
        } else if (asked.options().losesName()) {
            step = Step.FILE_STATUS;
            resume();
        } else {
            conclude(0);
        }
    }

    /** As {@link dev.sluice.system.UnixSystem#open} does it: the name goes unless it stands for another file by now. */
    private void succeeded() {
        long nextInode = memory().structure().getLong(memory().structureAt() + Statx.INO);
        long nextDevice = memory().structure().getLong(memory().structureAt() + Statx.DEV_MAJOR);
        boolean isFirst = step == Step.FILE_STATUS;
        if (step == Step.UNLINK || !isFirst && (nextInode != inode || nextDevice != device)) {
            conclude(0);
            return;
        }
        inode = nextInode;
        device = nextDevice;
        step = isFirst ? Step.NAME_STATUS : Step.UNLINK;
        resume();
    }

    @Override
    protected boolean giveUp() {
        int file = opened;
        opened = -1;
        step = Step.OPEN;
        races = 0;
        if (file >= 0) {
            OperatingSystem.current().close(file, false);
        }
        return super.giveUp();
    }

    private void conclude(int result) {
        if (result < 0) {
            finish(result);
            return;
        }
        int file = opened;
        opened = -1;
        step = Step.OPEN;
        races = 0;
        outcomes.complete(operation, asked.adopt(file), asked.takeFile());
    }
}
