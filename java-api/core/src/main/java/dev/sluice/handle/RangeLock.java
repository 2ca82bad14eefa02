package dev.sluice.handle;

import dev.sluice.calls.Errno;
import dev.sluice.handle.spi.Descriptor;
import java.io.Closeable;
import java.io.IOException;

/** A lock of a range of an open file, which ends when it is closed, or the file. */
final class RangeLock implements Closeable {

    private final Descriptor file;
    private final long position;
    private final long length;
    private boolean ended;

    RangeLock(Descriptor file, long position, long length) {
        this.file = file;
        this.position = position;
        this.length = length;
    }

    /**
     * Ends the lock. Doing so again does nothing, since the range may be locked by another one by then, unless the
     * first attempt has failed: then the range is still locked. So the attempt of another thread is awaited.
     */
    @Override
    public synchronized void close() throws IOException {
        if (ended) {
            return;
        }
        try {
            unlock();
            ended = true;
        } catch (HandleClosedException e) {
            // The lock has ended with the file.
            ended = true;
        }
    }

    private void unlock() throws IOException {
        long fd = file.acquire();
        try {
            int result;
            do {
                result = file.system().unlock(fd, position, length);
            } while (Errno.EINTR.is(result));
            if (result < 0) {
                throw new SystemCallException("unlock", file.handle(), result);
            }
        } finally {
            file.release();
        }
    }

    @Override
    public String toString() {
        return "lock of " + (length == 0 ? "everything" : length + " bytes") + " from position " + position + " on in "
                + file;
    }
}
