package dev.sluice.proactor;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects misuse of received buffers of the connections of one proactor. Each delivery has objects of its own, so use
 * after its end is detected even if the memory has been reused. A retained buffer that the program has lost without
 * closing it is reported after its garbage collection, and one that is still open is reported when the proactor is
 * closed.
 */
final class BufferCheck {

    /** System property that turns on the check. */
    static final String PROPERTY = "sluice.buffers.check";

    private static final Logger LOG = LoggerFactory.getLogger(BufferCheck.class);

    private final Set<Retention> open = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<RetainedBuffer> lost = new ReferenceQueue<>();
    private volatile boolean closed;

    /** {@return a check; null if the property is not set} */
    static @Nullable BufferCheck configured() {
        return Boolean.getBoolean(PROPERTY) ? new BufferCheck() : null;
    }

    /** The place where a buffer was retained that has not been closed or sent. */
    private static final class Retention extends PhantomReference<RetainedBuffer> {

        private final Object connection;
        private final Throwable place = new Throwable("retained here");

        Retention(RetainedBuffer buffer, ReferenceQueue<RetainedBuffer> queue, Object connection) {
            super(buffer, queue);
            this.connection = connection;
        }
    }

    /** {@return the object that a hook of a connection receives instead of the buffer} */
    CheckedBuffer lend(ProvidedBuffer buffer, Object connection) {
        for (Reference<?> found = lost.poll(); found != null; found = lost.poll()) {
            if (open.remove(found)) {
                report((Retention) found, "has been lost");
            }
        }
        return new CheckedBuffer(this, buffer, connection);
    }

    /** Records that a buffer is retained. Returns an object for {@link #release}. */
    Object retained(RetainedBuffer buffer, Object connection) {
        Retention retention = new Retention(buffer, lost, connection);
        open.add(retention);
        return retention;
    }

    void release(Object retention) {
        open.remove(retention);
    }

    /**
     * {@return whether the memory of the buffers may have been freed; does not change while the caller synchronizes on
     * this}
     */
    boolean isClosed() {
        return closed;
    }

    /** Called when the proactor is being closed. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        for (Retention each : open) {
            report(each, "was open when the proactor was closed");
        }
        open.clear();
    }

    private static void report(Retention retention, String what) {
        LOG.warn("a retained buffer of {} {}; close or send each retained buffer", retention.connection, what,
                retention.place);
    }
}
