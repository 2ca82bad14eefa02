package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.CallMemory;
import dev.sluice.demultiplexer.operation.Transmission;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.system.OperatingSystem;

/**
 * Sends a part of a file, step by step, on a thread of the pool, since it may wait for the disk. A head and a tail are
 * sent at once, as any bytes are, except where the call that sends the file takes the head as well. What the system
 * cannot send by itself is read and sent piece by piece; of a piece that is sent in part the rest is read again.
 */
final class TransmitFile extends PooledAttempt<Transmission> {

    /** The most that one step sends, so that it can be cancelled and others get their turn. */
    private static final long MAX_PER_CALL = 1 << 20;

    private final OperatingSystem system;
    /** Whether the file has no more bytes. */
    private boolean fileEnded;
    /** Whether the system cannot send the file, so that it is read and sent. Changed between two calls. */
    private boolean copiesFile;

    TransmitFile(Emulation emulation, Transmission asked) {
        super(emulation, asked, emulation.files);
        this.system = emulation.system;
    }

    @Override
    protected void begin() {
        fileEnded = false;
        copiesFile = false;
        proceed();
    }

    /**
     * {@return whether the file is next; otherwise the operation waits until the socket is writable, or has completed}
     */
    private boolean proceed() {
        for (int i = 0; i < Emulation.ATTEMPT_BUDGET; i++) {
            if (isFileNext()) {
                borrow();
                super.begin();
                return true;
            }
            if (isOver()) {
                outcomes.complete(operation, asked.done());
                return false;
            }
            long result = send();
            if (Errno.EAGAIN.is(result)) {
                break;
            }
            if (result < 0) {
                outcomes.complete(operation, result);
                return false;
            }
            asked.moved(result);
        }
        await(EventType.WRITE);
        return false;
    }

    /** Done here, because the pool's threads cannot. */
    private void borrow() {
        if (copiesFile) {
            memory().stage();
        } else {
            memory().structure();
        }
    }

    private boolean isFileNext() {
        return !fileEnded && asked.fileLeft() > 0
                && (asked.headLeft() == 0 || system.canSendHeadAndFile() && !copiesFile);
    }

    /** {@return whether nothing is left to send, or nothing that may be sent after a file that has ended too soon} */
    private boolean isOver() {
        return fileEnded ? asked.headLeft() == 0 : asked.areSent();
    }

    /** Sends the head, or if that is done the tail. */
    private long send() {
        long socket = descriptor();
        int headLeft = asked.headLeft();
        boolean more = !fileEnded && (asked.fileLeft() > 0 || asked.tailLeft() > 0);
        long result;
        do {
            if (headLeft == 0) {
                result = system.send(socket, asked.tailAddress(), asked.tailLeft());
            } else if (more) {
                result = system.sendBeforeMore(socket, asked.headAddress(), headLeft);
            } else {
                result = system.send(socket, asked.headAddress(), headLeft);
            }
        } while (Errno.EINTR.is(result));
        return result;
    }

    @Override
    long call() {
        if (copiesFile) {
            return copy();
        }
        long socket = descriptor();
        long count = Math.min(asked.fileLeft(), MAX_PER_CALL);
        if (asked.headLeft() > 0) {
            return system.sendHeadAndFile(socket, asked.headAddress(), asked.headLeft(), asked.fileDescriptor(),
                    asked.filePosition(), count, memory().structure(), memory().structureAt(),
                    memory().structureAddress());
        }
        return system.sendFile(socket, asked.fileDescriptor(), asked.filePosition(), count,
                memory().structure(), memory().structureAt(), memory().structureAddress());
    }

    private long copy() {
        long read = system.read(asked.fileDescriptor(), memory().stage(),
                Math.min(asked.fileLeft(), CallMemory.stageSize()), asked.filePosition());
        return read <= 0 ? read : system.send(descriptor(), memory().stage(), read);
    }

    @Override
    boolean ready(int came) {
        // While the file is sent, it is writable until the pool's thread has filled it up again.
        return !proceed();
    }

    @Override
    protected void performed(long result) {
        if (Errno.ENOSYS.is(result) && !copiesFile) {
            copiesFile = true;
            proceedUnlessCancelled();
        } else if (Errno.EAGAIN.is(result) && !operation.isCancelRequested()) {
            await(EventType.WRITE);
        } else if (result < 0) {
            outcomes.complete(operation, Errno.EAGAIN.is(result) ? -Errno.ECANCELED.number() : result);
        } else {
            fileEnded = result == 0;
            asked.moved(result);
            if (isOver()) {
                outcomes.complete(operation, asked.done());
            } else {
                proceedUnlessCancelled();
            }
        }
    }

    private void proceedUnlessCancelled() {
        if (operation.isCancelRequested()) {
            outcomes.complete(operation, -Errno.ECANCELED.number());
        } else {
            proceed();
        }
    }
}
