package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Posix;
import dev.sluice.demultiplexer.operation.Transfer;
import dev.sluice.handle.spi.Descriptors;

/** Reads from a file at a position, or writes to it, at a position or at its end. */
final class FileTransfer extends PooledAttempt<Transfer> {

    private final boolean writes;

    FileTransfer(Emulation emulation, Transfer asked, boolean writes) {
        super(emulation, asked, emulation.files);
        this.writes = writes;
    }

    @Override
    long call() {
        boolean appends = writes && Descriptors.of(operation.association().handle()).appends();
        return asked.isVectored() ? moveVector(appends) : move(appends);
    }

    private long move(boolean appends) {
        Posix posix = emulation.posix;
        if (appends) {
            return posix.write(descriptor(), asked.address(), asked.length());
        }
        return writes
                ? posix.pwrite(descriptor(), asked.address(), asked.length(), asked.nextPosition())
                : posix.pread(descriptor(), asked.address(), asked.length(), asked.nextPosition());
    }

    private long moveVector(boolean appends) {
        Posix posix = emulation.posix;
        long vector = memory().vector();
        int count = memory().vectorCount();
        if (appends) {
            return posix.writev(descriptor(), vector, count);
        }
        return writes
                ? posix.pwritev(descriptor(), vector, count, asked.nextPosition())
                : posix.preadv(descriptor(), vector, count, asked.nextPosition());
    }
}
