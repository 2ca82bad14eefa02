package dev.sluice.h2;

import dev.sluice.handle.HandleClosedException;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Makes the writes and forces of an open file, until the first force that fails; all later ones are refused. */
final class Durability {

    /** A call that writes or forces. */
    @FunctionalInterface
    interface Call {
        void run() throws IOException;
    }

    private final String name;
    private final boolean writesThrough;
    /**
     * Held during each force. Of several forces that run concurrently, the system reports an error to one, and the
     * others succeed: they would claim that writes are durable.
     */
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Throwable failure;

    /**
     * Creates it for an open file.
     *
     * @param name          of the file, for messages
     * @param writesThrough whether each write waits for the disk, so that one that fails is a failed force
     */
    Durability(String name, boolean writesThrough) {
        this.name = name;
        this.writesThrough = writesThrough;
    }

    /** Makes a call that writes. */
    void write(Call call) throws IOException {
        if (writesThrough) {
            force(call);
        } else {
            requireIntact();
            call.run();
        }
    }

    /** Makes a call that fails if it cannot make writes durable. */
    void force(Call call) throws IOException {
        lock.lock();
        try {
            requireIntact();
            try {
                call.run();
            } catch (HandleClosedException e) {
                // The call was not made.
                throw e;
            } catch (Throwable e) {
                failure = e;
                throw e;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Throws if a force has failed. */
    void requireIntact() throws IOException {
        Throwable first = failure;
        if (first != null) {
            throw new IOException(name + ": an earlier write could not be made durable and may be lost, so no more are "
                    + "accepted; close the database and open it again, or restore it", first);
        }
    }
}
