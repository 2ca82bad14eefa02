package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.mechanism.operation.NativeOperation;
import dev.sluice.mechanism.operation.TransmittedParts;
import dev.sluice.system.OperatingSystem;

/**
 * Sends a part of a file, step by step, on a thread of the pool, since it may wait for the disk. A head and a tail are
 * sent at once, as any bytes are, except where the call that sends the file takes the head as well. What the system
 * cannot send by itself is read and sent piece by piece; of a piece that is sent in part the rest is read again.
 */
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
        operation.fileEnded = false;
        operation.copiesFile = false;
        proceed(operation);
    }

    /** {@return whether the file is next; otherwise it waits until there is room, or has completed} */
    private boolean proceed(EmulatedOperation operation) {
        TransmittedParts parts = operation.parts();
        for (int i = 0; i < Emulation.ATTEMPTS_PER_TURN; i++) {
            if (isFileNext(operation)) {
                borrow(operation);
                super.begin(operation);
                return true;
            }
            if (isOver(operation)) {
                outcomes().complete(operation, operation.done());
                return false;
            }
            long result = send(operation, parts);
            if (Errno.EAGAIN.is(result)) {
                break;
            }
            if (result < 0) {
                outcomes().complete(operation, result);
                return false;
            }
            operation.moved(result);
        }
        emulation().await(operation, EventType.WRITE);
        return false;
    }

    /** Done here, because the pool's threads cannot. */
    private static void borrow(EmulatedOperation operation) {
        if (operation.copiesFile) {
            operation.stage();
        } else {
            operation.structure();
        }
    }

    private boolean isFileNext(EmulatedOperation operation) {
        TransmittedParts parts = operation.parts();
        return !operation.fileEnded && parts.fileLeft() > 0
                && (parts.headLeft() == 0 || system.joinsHeadAndFile() && !operation.copiesFile);
    }

    /** {@return whether nothing is left to send, or nothing that may be sent after a file that has ended too soon} */
    private static boolean isOver(EmulatedOperation operation) {
        TransmittedParts parts = operation.parts();
        return operation.fileEnded ? parts.headLeft() == 0 : parts.areSent();
    }

    /** Sends the head, or if that is done the tail. */
    private long send(EmulatedOperation operation, TransmittedParts parts) {
        long socket = operation.association().descriptor();
        int headLeft = parts.headLeft();
        boolean more = !operation.fileEnded && (parts.fileLeft() > 0 || parts.tailLeft() > 0);
        long result;
        do {
            if (headLeft == 0) {
                result = system.send(socket, parts.tailAddress(), parts.tailLeft());
            } else if (more) {
                result = system.sendBeforeMore(socket, parts.headAddress(), headLeft);
            } else {
                result = system.send(socket, parts.headAddress(), headLeft);
            }
        } while (Errno.EINTR.is(result));
        return result;
    }

    @Override
    long call(NativeOperation operation) {
        TransmittedParts parts = operation.parts();
        if (((EmulatedOperation) operation).copiesFile) {
            return copy(operation, parts);
        }
        long socket = operation.association().descriptor();
        long count = Math.min(parts.fileLeft(), MOST_AT_ONCE);
        if (parts.headLeft() > 0) {
            return system.sendHeadAndFile(socket, parts.headAddress(), parts.headLeft(), operation.fileDescriptor(),
                    parts.filePosition(), count, operation.structure(), operation.structureAt(),
                    operation.structureAddress());
        }
        return system.sendFile(socket, operation.fileDescriptor(), parts.filePosition(), count,
                operation.structure(), operation.structureAt(), operation.structureAddress());
    }

    private long copy(NativeOperation operation, TransmittedParts parts) {
        long read = system.read(operation.fileDescriptor(), operation.stage(),
                Math.min(parts.fileLeft(), NativeOperation.stageSize()), parts.filePosition());
        return read <= 0 ? read : system.send(operation.association().descriptor(), operation.stage(), read);
    }

    @Override
    boolean ready(EmulatedOperation operation, int came) {
        // While the file is sent, it is writable until the pool's thread has filled it up again.
        return !proceed(operation);
    }

    @Override
    void performed(EmulatedOperation operation, long result) {
        if (Errno.ENOSYS.is(result) && !operation.copiesFile) {
            operation.copiesFile = true;
            proceedUnlessCancelled(operation);
        } else if (Errno.EAGAIN.is(result) && !operation.isCancelRequested()) {
            emulation().await(operation, EventType.WRITE);
        } else if (result < 0) {
            outcomes().complete(operation, Errno.EAGAIN.is(result) ? -Errno.ECANCELED.number() : result);
        } else {
            operation.fileEnded = result == 0;
            operation.moved(result);
            if (isOver(operation)) {
                outcomes().complete(operation, operation.done());
            } else {
                proceedUnlessCancelled(operation);
            }
        }
    }

    private void proceedUnlessCancelled(EmulatedOperation operation) {
        if (operation.isCancelRequested()) {
            outcomes().complete(operation, -Errno.ECANCELED.number());
        } else {
            proceed(operation);
        }
    }
}
