package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.mechanism.operation.NativeOperation;
import dev.sluice.system.OperatingSystem;

/** Sends a part of a file, step by step. */
final class TransmitFile extends PooledExecution {

    /** The most that one step sends, so that it can be cancelled and others get their turn. */
    private static final long MOST_AT_ONCE = 1 << 20;

    private final OperatingSystem system;

    TransmitFile(Emulation emulation, FilePool pool, OperatingSystem system) {
        super(emulation, pool);
        this.system = system;
    }

    @Override
    void begin(EmulatedOperation operation) {
        // Borrowed here, because the pool's threads cannot.
        operation.structure();
        super.begin(operation);
    }

    @Override
    long call(NativeOperation operation) {
        return system.sendFile(operation.association().descriptor(), operation.fileDescriptor(),
                operation.nextPosition(), Math.min(operation.bytesLeft(), MOST_AT_ONCE),
                operation.structure(), operation.structureAt(), operation.structureAddress());
    }

    @Override
    boolean ready(EmulatedOperation operation, int came) {
        super.begin(operation);
        // It is writable until the pool's thread has filled it up again.
        return false;
    }

    @Override
    void performed(EmulatedOperation operation, long result) {
        if (Errno.EAGAIN.is(result) && !operation.isCancelRequested()) {
            emulation().await(operation, EventType.WRITE);
        } else if (result < 0) {
            outcomes().complete(operation, Errno.EAGAIN.is(result) ? -Errno.ECANCELED.number() : result);
        } else {
            operation.moved(result);
            if (result == 0 || operation.bytesLeft() == 0) {
                outcomes().complete(operation, operation.done());
            } else {
                outcomes().again(operation);
            }
        }
    }
}
