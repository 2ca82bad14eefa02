package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import java.io.IOException;

/**
 * The outcome of a {@link ConnectionAttempt}: the demultiplexer's completion, and what the demultiplexer does not know.
 */
final class ConnectCompletion implements Completion {

    private final Completion connect;
    /** The connection, null if there is none. */
    private final SocketStream stream;
    /** Why there is none, null if there is one. */
    private final IOException error;
    /** Whether somebody has asked for the connection. */
    private boolean taken;

    ConnectCompletion(Completion succeeded, SocketStream stream) {
        this.connect = succeeded;
        this.stream = stream;
        this.error = null;
    }

    ConnectCompletion(Completion connect, IOException reason) {
        this.connect = connect;
        this.stream = null;
        this.error = reason;
    }

    @Override
    public OperationType type() {
        return connect.type();
    }

    @Override
    public Handle handle() {
        return connect.handle();
    }

    @Override
    public Object handler() {
        return connect.handler();
    }

    @Override
    public Object token() {
        return connect.token();
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
        return connect.result();
    }

    @Override
    public long position() {
        return connect.position();
    }

    @Override
    public boolean isLast() {
        return connect.isLast();
    }

    @Override
    public IOException error() {
        return error;
    }

    @Override
    public SocketStream stream() {
        taken = true;
        return stream;
    }

    @Override
    public FileHandle file() {
        return null;
    }

    @Override
    public ProvidedBuffer buffer() {
        return null;
    }

    @Override
    public void closeUntaken() {
        if (stream != null && !taken) {
            stream.close();
        }
    }

    /** {@return for example {@code CONNECT tcp 127.0.0.1:7007 (fd 12): 0}} */
    @Override
    public String toString() {
        return type() + " " + handle() + ": " + (error == null ? String.valueOf(result()) : error.getMessage());
    }
}
