package dev.sluice.proactor;

import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Bytes that one handler has received and another is to consume, in the form in which that one receives others. */
final class UnconsumedBytes implements Completion {

    private final Handle handle;
    private final CompletionHandler handler;
    private final Object token;
    private final ProvidedBuffer buffer;
    private final int count;

    UnconsumedBytes(Handle handle, CompletionHandler handler, Object token, ByteBuffer bytes) {
        this.handle = handle;
        this.handler = handler;
        this.token = token;
        this.count = bytes.remaining();
        // By the binding: this may be the loop thread, which must not sleep if memory is short.
        ByteBuffer copy = Bindings.current().memory().allocateBuffer(Math.max(1, count));
        this.buffer = new Copy(copy.put(bytes).flip());
    }

    @Override
    public OperationType type() {
        return OperationType.RECEIVE_CONTINUOUSLY;
    }

    @Override
    public Handle handle() {
        return handle;
    }

    @Override
    public Object handler() {
        return handler;
    }

    @Override
    public Object token() {
        return token;
    }

    @Override
    public boolean isSuccess() {
        return true;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public long result() {
        return count;
    }

    @Override
    public long position() {
        return 0;
    }

    @Override
    public boolean isLast() {
        return false;
    }

    @Override
    public IOException error() {
        return null;
    }

    @Override
    public SocketStream stream() {
        return null;
    }

    @Override
    public FileHandle file() {
        return null;
    }

    @Override
    public ProvidedBuffer buffer() {
        return buffer;
    }

    @Override
    public void closeUntaken() {
        // It has brought no connection and no file.
    }

    /** {@return for example {@code RECEIVE_CONTINUOUSLY tcp 127.0.0.1:7007 (fd 12): 64}} */
    @Override
    public String toString() {
        return type() + " " + handle + ": " + count;
    }

    /** Belongs to no demultiplexer, so that it may be kept for as long as one likes. */
    private static final class Copy extends ProvidedBuffer {

        private final ByteBuffer bytes;
        private boolean kept;

        Copy(ByteBuffer bytes) {
            this.bytes = bytes;
        }

        @Override
        public ByteBuffer buffer() {
            return bytes;
        }

        @Override
        public synchronized ProvidedBuffer keep() {
            if (kept) {
                throw new IllegalStateException("the buffer is kept already");
            }
            kept = true;
            return this;
        }

        @Override
        public synchronized void release() {
            if (!kept) {
                throw new IllegalStateException("the buffer is not kept");
            }
            kept = false;
        }
    }
}
