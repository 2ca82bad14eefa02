package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FSYNC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_OPENAT;

import dev.sluice.demultiplexer.operation.Naming;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.OperatingSystem;

/** Forces the names in a directory to the disk. The descriptor of the directory is for looking up names alone. */
final class ForceDirectory extends NameRequest<Naming> {

    private static final int READING = OpenOptions.of().flagsOfName();

    /** The directory as it has been opened for the force; -1 before. */
    private int opened = -1;

    ForceDirectory(Requests requests, Naming arguments) {
        super(requests, arguments);
    }

    @Override
    void perform() {
        if (opened < 0) {
            set(IORING_OP_OPENAT, arguments.descriptor(), 0, arguments.address(), 0, READING);
        } else {
            set(IORING_OP_FSYNC, opened, 0, 0, 0, 0);
        }
    }

    @Override
    long maxResult(int flags) {
        return opened < 0 ? ANY : 0;
    }

    @Override
    void complete(int result, int flags) {
        if (opened < 0 && result >= 0) {
            opened = result;
            resume();
        } else {
            super.complete(result, flags);
        }
    }

    @Override
    void executed(long result) {
        finish(result);
    }

    @Override
    protected boolean releaseBorrowed() {
        releaseOpened();
        return super.releaseBorrowed();
    }

    @Override
    void releaseOpened() {
        int directory = opened;
        opened = -1;
        if (directory >= 0) {
            OperatingSystem.current().close(directory, false);
        }
    }
}
