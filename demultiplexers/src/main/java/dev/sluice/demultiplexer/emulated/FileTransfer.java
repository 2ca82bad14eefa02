package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Posix;
import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.handle.spi.Descriptors;

/** Reads from a file at a position, or writes to it, at a position or at the end. */
final class FileTransfer extends PooledAttempt<Transfer> {

    private final boolean writes;

    FileTransfer(Emulation emulation, Transfer arguments, boolean writes) {
        super(emulation, arguments, emulation.files);
        this.writes = writes;
    }

    @Override
    long call() {
        boolean appends = writes && Descriptors.of(operation.handleAssociation().handle()).appends();
        return arguments.isVectored() ? moveVector(appends) : move(appends);
    }

    private long move(boolean appends) {
        Posix posix = emulation.posix;
        if (appends) {
            return posix.write(descriptor(), arguments.address(), arguments.length());
        }
        return writes
                ? posix.pwrite(descriptor(), arguments.address(), arguments.length(), arguments.nextPosition())
                : posix.pread(descriptor(), arguments.address(), arguments.length(), arguments.nextPosition());
    }

    private long moveVector(boolean appends) {
        Posix posix = emulation.posix;
        long vector = memory().vector();
        int count = memory().vectorCount();
        if (appends) {
            return posix.writev(descriptor(), vector, count);
        }
        return writes
                ? posix.pwritev(descriptor(), vector, count, arguments.nextPosition())
                : posix.preadv(descriptor(), vector, count, arguments.nextPosition());
    }
}
