package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.CachedSend;
import dev.sluice.demultiplexer.operation.CachedTransfers;
import dev.sluice.demultiplexer.operation.CallMemory;
import dev.sluice.demultiplexer.operation.Transmission;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.system.OperatingSystem;

/**
 * Sends a part of a file, in steps: what the cache has by the thread inside ({@link CachedSend}), the rest on a thread
 * of the pool, because it may wait for the disk. A head and a tail are sent by the thread inside, unless the call that
 * sends the file takes the head as well. A file that the system cannot send is read and sent piece by piece; if a piece
 * is sent in part, the rest is read again.
 */
final class TransmitFile extends PooledAttempt<Transmission> {

    /**
     * The maximum number of bytes that one step sends, so that the operation can be cancelled and others are served.
     */
    private static final long MAX_PER_CALL = 1 << 20;

    private final OperatingSystem system;
    private final CachedSend cached;
    /** Whether the end of the file has been reached. */
    private boolean fileEnded;
    /** Whether the file is read and sent, because the system cannot send it. Changed only between calls. */
    private boolean copiesFile;

    TransmitFile(Emulation emulation, Transmission arguments) {
        super(emulation, arguments, emulation.files);
        this.system = emulation.system;
        this.cached = new CachedSend(emulation.cached, arguments, false);
    }

    @Override
    protected void begin() {
        fileEnded = false;
        copiesFile = false;
        cached.begin();
        proceed();
    }

    /**
     * {@return whether a call for the file has been submitted; otherwise the operation waits until the socket is
     * writable, or has completed}
     */
    private boolean proceed() {
        for (int i = 0; i < Emulation.ATTEMPT_BUDGET; i++) {
            long result = fileEnded || copiesFile ? CachedTransfers.NOT_MADE : cached.attempt(descriptor());
            if (result == CachedTransfers.NOT_MADE) {
                // Another call would be refused, too.
                copiesFile |= cached.isRefused();
                if (isFileNext()) {
                    borrow();
                    super.begin();
                    return true;
                }
                if (isOver()) {
                    outcomes.complete(operation, arguments.done());
                    return false;
                }
                result = send();
                arguments.moved(Math.max(0, result));
            } else {
                fileEnded = result == 0;
            }
            if (Errno.EAGAIN.is(result)) {
                break;
            }
            if (result < 0) {
                outcomes.complete(operation, result);
                return false;
            }
        }
        if (isOver()) {
            // With the last attempt: the socket may be full, and the peer need not read any more.
            outcomes.complete(operation, arguments.done());
        } else {
            await(EventType.WRITE);
        }
        return false;
    }

    /** Borrows the memory that the call needs, because a thread of the pool must not. */
    private void borrow() {
        if (copiesFile) {
            memory().stage();
        } else {
            memory().structure();
        }
    }

    private boolean isFileNext() {
        return !fileEnded && arguments.fileLeft() > 0
                && (arguments.headLeft() == 0 || system.canSendHeadAndFile() && !copiesFile);
    }

    /** {@return whether everything has been sent; if the file was too short, whether the head has been sent} */
    private boolean isOver() {
        return fileEnded ? arguments.headLeft() == 0 : arguments.allSent();
    }

    /** Sends the head or, after that, the tail. */
    private long send() {
        long socket = descriptor();
        int headLeft = arguments.headLeft();
        boolean more = !fileEnded && (arguments.fileLeft() > 0 || arguments.tailLeft() > 0);
        long result;
        do {
            if (headLeft == 0) {
                result = system.send(socket, arguments.tailAddress(), arguments.tailLeft());
            } else if (more) {
                result = system.sendBeforeMore(socket, arguments.headAddress(), headLeft);
            } else {
                result = system.send(socket, arguments.headAddress(), headLeft);
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
        long count = Math.min(arguments.fileLeft(), MAX_PER_CALL);
        if (arguments.headLeft() > 0) {
            return system.sendHeadAndFile(socket, arguments.headAddress(), arguments.headLeft(),
                    arguments.fileDescriptor(), arguments.filePosition(), count, memory().structure(),
                    memory().structureAt(), memory().structureAddress());
        }
        return system.sendFile(socket, arguments.fileDescriptor(), arguments.filePosition(), count,
                memory().structure(), memory().structureAt(), memory().structureAddress());
    }

    private long copy() {
        long read = system.read(arguments.fileDescriptor(), memory().stage(),
                Math.min(arguments.fileLeft(), CallMemory.stageSize()), arguments.filePosition());
        return read <= 0 ? read : system.send(descriptor(), memory().stage(), read);
    }

    @Override
    boolean ready(int came) {
        // While the file is being sent, the socket stays writable until the thread of the pool has filled it.
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
            arguments.moved(result);
            if (isOver()) {
                outcomes.complete(operation, arguments.done());
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
