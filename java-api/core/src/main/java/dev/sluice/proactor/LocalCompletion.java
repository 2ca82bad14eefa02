package dev.sluice.proactor;

import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.PosixFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A completion that is not from a demultiplexer: the result of a {@link ConnectionAttempt}, or bytes that another
 * handler has received.
 */
final class LocalCompletion implements Completion {

    private final OperationType type;
    private final @Nullable Handle handle;
    private final @Nullable Object handler;
    private final @Nullable Object token;
    /** The reason of a failed attempt; null if it succeeded. */
    private final @Nullable IOException error;
    /** The connection; null if there is none. */
    private final @Nullable SocketStream stream;
    /** The received bytes; null if there are none. */
    private final @Nullable CopiedBuffer buffer;
    /** Whether the handler has claimed the connection. */
    private boolean taken;

    private LocalCompletion(OperationType type, @Nullable Handle handle, @Nullable Object handler,
            @Nullable Object token, @Nullable IOException error, @Nullable SocketStream stream,
            @Nullable CopiedBuffer buffer) {
        this.type = type;
        this.handle = handle;
        this.handler = handler;
        this.token = token;
        this.error = error;
        this.stream = stream;
        this.buffer = buffer;
    }

    static LocalCompletion connected(Completion connect, SocketStream stream) {
        return new LocalCompletion(connect.type(), connect.handle(), connect.handler(), connect.token(), null, stream,
                null);
    }

    static LocalCompletion failed(Completion connect, IOException reason) {
        return new LocalCompletion(connect.type(), connect.handle(), connect.handler(), connect.token(), reason, null,
                null);
    }

    static LocalCompletion received(Handle handle, CompletionHandler handler, @Nullable Object token,
            ByteBuffer bytes) {
        return new LocalCompletion(OperationType.RECEIVE_CONTINUOUSLY, handle, handler, token, null, null,
                copyOf(bytes));
    }

    /** {@return a received buffer with these bytes} */
    static CopiedBuffer copyOf(ByteBuffer bytes) {
        // Allocated by the binding, because the JDK may sleep if memory is short, and this may be the loop thread.
        ByteBuffer copy = Bindings.current().memory().allocateBuffer(bytes.remaining());
        return new CopiedBuffer(copy.put(bytes).flip());
    }

    @Override
    public OperationType type() {
        return type;
    }

    @Override
    public @Nullable Handle handle() {
        return handle;
    }

    @Override
    public @Nullable Object handler() {
        return handler;
    }

    @Override
    public @Nullable Object token() {
        return token;
    }

    @Override
    public boolean isSuccess() {
        return error == null;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public long result() {
        return buffer == null ? 0 : buffer.count;
    }

    @Override
    public long position() {
        return 0;
    }

    @Override
    public boolean isLast() {
        return buffer == null;
    }

    @Override
    public @Nullable IOException error() {
        return error;
    }

    @Override
    public @Nullable SocketStream stream() {
        taken = true;
        return stream;
    }

    @Override
    public @Nullable FileHandle file() {
        return null;
    }

    @Override
    public @Nullable Closeable lock() {
        return null;
    }

    @Override
    public @Nullable PosixFileAttributes status() {
        return null;
    }

    @Override
    public @Nullable ProvidedBuffer buffer() {
        return buffer;
    }

    @Override
    public void closeUnclaimed() {
        if (stream != null && !taken) {
            stream.close();
        }
    }

    /** {@return for example {@code CONNECT tcp 127.0.0.1:7007 (fd 12): 0}} */
    @Override
    public String toString() {
        return type + " " + handle + ": " + (error == null ? String.valueOf(result()) : error.getMessage());
    }

    /** A buffer that does not belong to a demultiplexer, so it may be retained without a limit. */
    static final class CopiedBuffer extends ProvidedBuffer {

        final int count;
        private final CopiedBytes own;
        private boolean retained;

        CopiedBuffer(ByteBuffer bytes) {
            this.own = new CopiedBytes(bytes);
            this.count = bytes.remaining();
        }

        @Override
        public ByteBuffer bytes() {
            requireProvided("bytes");
            return own.bytes();
        }

        @Override
        public RetainedBuffer retain() {
            requireProvided("retain");
            retained = true;
            return own;
        }

        private void requireProvided(String method) {
            if (retained) {
                throw new IllegalStateException(
                        method + ": the buffer has been retained or sent; it belongs to the new owner");
            }
        }
    }

    private static final class CopiedBytes extends RetainedBuffer {

        /** The bytes; null after they have been closed or sent. */
        private @Nullable ByteBuffer bytes;

        CopiedBytes(ByteBuffer bytes) {
            this.bytes = bytes;
        }

        @Override
        public synchronized ByteBuffer bytes() {
            return owned("bytes");
        }

        @Override
        public synchronized RetainedBuffer moved() {
            RetainedBuffer moved = new CopiedBytes(owned("send"));
            bytes = null;
            return moved;
        }

        @Override
        public synchronized void close() {
            owned("close");
            bytes = null;
        }

        private ByteBuffer owned(String method) {
            if (bytes == null) {
                throw new IllegalStateException(
                        method + ": the buffer has been closed or sent before; close or send a retained buffer once");
            }
            return bytes;
        }
    }
}
