package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.attribute.PosixFileAttributes;

/** The completion of a close, which succeeds even if it is cancelled. */
final class CompletedClose implements Completion {

    @Override
    public OperationType type() {
        return OperationType.CLOSE;
    }

    @Override
    public Handle handle() {
        return null;
    }

    @Override
    public Object handler() {
        return null;
    }

    @Override
    public Object token() {
        return null;
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
        return 0;
    }

    @Override
    public long position() {
        return 0;
    }

    @Override
    public boolean isLast() {
        return true;
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
    public Closeable lock() {
        return null;
    }

    @Override
    public PosixFileAttributes status() {
        return null;
    }

    @Override
    public ProvidedBuffer buffer() {
        return null;
    }

    @Override
    public void closeUnclaimed() {
        // It brings nothing.
    }
}
