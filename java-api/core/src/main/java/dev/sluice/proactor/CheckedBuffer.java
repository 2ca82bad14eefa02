package dev.sluice.proactor;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A received buffer for one call of a hook, under a {@link BufferCheck}. At its end the bytes are overwritten, and the
 * {@link ByteBuffer} of the program has no bytes remaining.
 */
final class CheckedBuffer extends ProvidedBuffer {

    private static final byte OVERWRITTEN = (byte) 0xdb;

    private final BufferCheck check;
    private final ProvidedBuffer buffer;
    private final Object connection;
    private final ByteBuffer view;
    /** The reason why it can no longer be used; null while it can. */
    private @Nullable String end;
    /** The place where its use has ended. */
    private @Nullable Throwable place;

    CheckedBuffer(BufferCheck check, ProvidedBuffer buffer, Object connection) {
        this.check = check;
        this.buffer = buffer;
        this.connection = connection;
        ByteBuffer bytes = buffer.bytes();
        this.view = bytes.slice().order(bytes.order());
    }

    @Override
    public synchronized ByteBuffer bytes() {
        requireOpen("bytes");
        return view;
    }

    @Override
    public synchronized RetainedBuffer retain() {
        requireOpen("retain");
        Checked own = new Checked(buffer.retain(), true);
        end = "has been retained or sent; it belongs to the new owner";
        place = new Throwable("retained or sent here");
        return own;
    }

    /** Called when the hook has returned. */
    synchronized void hookReturned() {
        if (end == null) {
            end = "was released when received() returned; call retain() inside the hook";
            overwrite();
        }
    }

    private void overwrite() {
        view.clear();
        while (view.hasRemaining()) {
            view.put(OVERWRITTEN);
        }
        view.limit(0);
    }

    private void requireOpen(String method) {
        if (end != null) {
            throw new IllegalStateException(method + ": the buffer " + end + ": " + connection, place);
        }
    }

    /** The buffer for its owner, which is the program, or the queue that sends it. */
    private final class Checked extends RetainedBuffer {

        private final RetainedBuffer retained;
        private final @Nullable Object retention;
        /** The place where it was closed or sent; null if it was not. */
        private @Nullable Throwable released;

        Checked(RetainedBuffer retained, boolean ofProgram) {
            this.retained = retained;
            this.retention = ofProgram ? check.retained(this, connection) : null;
        }

        @Override
        public synchronized ByteBuffer bytes() {
            requireOwned("bytes");
            if (check.isClosed()) {
                throw new IllegalStateException("bytes: the proactor has been closed, which frees all its buffers;"
                        + " copy what is needed longer: " + connection);
            }
            return view;
        }

        @Override
        public synchronized RetainedBuffer moved() {
            release("send", "sent here");
            return new Checked(retained.moved(), false);
        }

        @Override
        public synchronized void close() {
            release("close", "closed here");
            synchronized (check) {
                // The memory cannot be freed in between.
                if (!check.isClosed()) {
                    overwrite();
                }
            }
            retained.close();
        }

        private void release(String method, String how) {
            requireOwned(method);
            released = new Throwable(how);
            if (retention != null) {
                check.release(retention);
            }
        }

        private void requireOwned(String method) {
            if (released != null) {
                throw new IllegalStateException(method + ": the buffer has been closed or sent before; close or send a"
                        + " retained buffer once: " + connection, released);
            }
        }
    }
}
