package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_OPENAT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_OPENAT2;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_STATX;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_UNLINKAT;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.OpenHow;
import dev.sluice.calls.layout.Statx;
import dev.sluice.demultiplexer.operation.DirectoryOpenCall;
import dev.sluice.demultiplexer.operation.OpenCall;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.demultiplexer.operation.PooledCall;
import dev.sluice.handle.FileOption;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.OperatingSystem;

/**
 * Opens a file. The kernel first tries with {@code O_NONBLOCK}, which it then removes. For a FIFO that determines the
 * result (fifo(7), seen on Linux 6.18): opening for reading succeeds immediately without a writer, opening for writing
 * without a reader fails with {@code ENXIO}. With {@code O_CREAT} or {@code O_TRUNC}, a kernel thread opens the file
 * and waits for the other end as {@code open} does. Forcing that in all cases would cost each open a kernel thread, and
 * a few FIFOs could occupy all of them.
 */
final class Open extends FileRequest<Opening> {

    private static final int MAX_RACES = 100;

    /** The next request. The last three are for a file that loses its name. */
    private enum Step { OPEN, FILE_STATUS, NAME_STATUS, UNLINK }

    private Step step = Step.OPEN;
    /** The descriptor that has been opened and not been adopted; -1 if there is none. */
    private int opened = -1;
    private int races;
    private long inode;
    private long device;

    Open(Requests requests, Opening arguments) {
        super(requests, arguments);
    }

    @Override
    void perform() {
        long path = arguments.address();
        switch (step) {
            case OPEN -> performOpen(path);
            case FILE_STATUS -> {
                // No path, but the file itself.
                memory().structure().put(nameAt(), (byte) 0);
                performStatus(opened, memory().structureAddress() + Statx.SIZE, FileConstants.AT_EMPTY_PATH);
            }
            case NAME_STATUS -> performStatus(arguments.directory(), path, FileConstants.AT_SYMLINK_NOFOLLOW);
            case UNLINK -> set(IORING_OP_UNLINKAT, arguments.directory(), 0, path, 0, 0);
        }
    }

    private void performOpen(long path) {
        OpenOptions options = arguments.options();
        int flags = arguments.flags();
        if (!options.has(FileOption.BENEATH)) {
            set(IORING_OP_OPENAT, arguments.directory(), 0, path, options.mode(), flags);
            return;
        }
        OpenHow.setBeneath(memory().structure(), memory().structureAt(), flags, options.mode());
        set(IORING_OP_OPENAT2, arguments.directory(), memory().structureAddress(), path, OpenHow.SIZE, 0);
    }

    private void performStatus(int from, long path, int flags) {
        set(IORING_OP_STATX, from, memory().structureAddress(), path, Statx.BASIC_STATS, flags);
    }

    private int nameAt() {
        return memory().structureAt() + Statx.SIZE;
    }

    @Override
    long maxResult(int flags) {
        return ANY;
    }

    @Override
    void complete(int result, int flags) {
        if (Errno.EOPNOTSUPP.is(result)) {
            submitToPool();
        } else if (Errno.EINTR.is(result) || result == -ERESTARTSYS || isRace(result)
                || mustFinish() && operation.isCancelRequested() && Errno.ECANCELED.is(result)) {
            resume();
        } else if (step == Step.OPEN) {
            opened(result);
        } else if (result < 0) {
            // A file that has no name any more is as requested.
            conclude(Errno.ENOENT.is(result) ? 0 : result);
        } else {
            succeeded();
        }
    }

    /** {@return whether a directory of a path with {@code ..} in it was renamed in the meantime (openat2(2))} */
    private boolean isRace(int result) {
        return Errno.EAGAIN.is(result) && step == Step.OPEN && arguments.options().has(FileOption.BENEATH)
                && ++races < MAX_RACES;
    }

    private void opened(int result) {
        opened = result;
        int refusal = Math.min(0, result);
        if (result >= 0 && arguments.isInDirectory()) {
            refusal = OperatingSystem.current().unix().endNonBlocking(result, arguments.options());
        }
        if (refusal < 0) {
            conclude(refusal);
        } else if (arguments.options().losesName()) {
            step = Step.FILE_STATUS;
            resume();
        } else {
            conclude(0);
        }
    }

    /** As {@link dev.sluice.system.UnixSystem#open}: removes the name unless it refers to another file by now. */
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

    /** {@inheritDoc} The name of a file that has been opened is removed, and the completion has the file. */
    @Override
    boolean mustFinish() {
        return step != Step.OPEN;
    }

    // What is refused as a request

    @Override
    PooledCall nextCall() {
        if (step != Step.OPEN) {
            return super.nextCall();
        }
        // A new call each time, because the previous one may still be in progress.
        return arguments.isInDirectory() ? new DirectoryOpenCall(arguments, OperatingSystem.current())
                : new OpenCall(arguments, OperatingSystem.current());
    }

    @Override
    long makeCall() {
        return arguments.removeName(opened);
    }

    /** {@inheritDoc} A call that opens the file also removes its name. */
    @Override
    void executed(long result) {
        if (step == Step.OPEN && result >= 0) {
            opened = (int) result;
        }
        conclude((int) Math.min(0, result));
    }

    // The end

    @Override
    void releaseOpened() {
        try {
            if (step != Step.OPEN && opened >= 0) {
                // The completion reports a cancellation, whether or not this succeeds.
                arguments.removeName(opened);
            }
        } finally {
            closeOpened();
        }
    }

    @Override
    protected boolean releaseBorrowed() {
        closeOpened();
        return super.releaseBorrowed();
    }

    private void closeOpened() {
        int file = takeOpened();
        if (file >= 0) {
            OperatingSystem.current().close(file, false);
        }
    }

    private int takeOpened() {
        int file = opened;
        opened = -1;
        step = Step.OPEN;
        races = 0;
        return file;
    }

    private void conclude(int result) {
        if (result < 0) {
            finish(result);
            return;
        }
        outcomes.complete(operation, arguments.adopt(takeOpened()), arguments.takeFile());
    }
}
