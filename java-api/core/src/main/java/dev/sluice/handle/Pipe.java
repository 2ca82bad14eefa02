package dev.sluice.handle;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.spi.FileUse;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.Scratch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pipe of the operating system, non-blocking at both ends. On Windows, where no demultiplexer can wait for pipes, it
 * is a connection over the loopback address. Each end may also be closed individually.
 *
 * @param source the end that bytes are received from
 * @param sink   the end that bytes are sent to
 */
public record Pipe(Handle source, Handle sink) implements Closeable {

    private static final ByteTransfer.Call READ = (system, fd, address, length, none) ->
            system.read(fd, address, length);
    private static final ByteTransfer.Call WRITE = (system, fd, address, length, none) ->
            system.write(fd, address, length);

    /** Creates a pipe of its two handles, which it owns from now on. */
    public Pipe {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(sink, "sink");
    }

    /**
     * Opens a pipe.
     *
     * @return the pipe; the caller closes it, or each of its ends
     * @throws SystemCallException if the system has no more descriptors
     */
    @CheckReturnValue
    public static Pipe open() throws IOException {
        StackReserve.requireForOpening();
        Binding binding = Bindings.current();
        OperatingSystem system = OperatingSystem.of(binding);
        try (Scratch scratch = Scratch.borrow(binding)) {
            int result = system.openPipe(scratch);
            if (result < 0) {
                throw new SystemCallException("pipe2", "pipe", result);
            }
            long source = scratch.memory().getLong(Scratch.VALUE);
            long sink = scratch.memory().getLong(Scratch.VALUE + Long.BYTES);
            boolean sockets = system.pipesAreSockets();
            return of(binding, source, sink, sockets);
        }
    }

    /** Creates the pipe; if there is no memory for it, both descriptors are closed. */
    private static Pipe of(Binding binding, long source, long sink, boolean sockets) {
        Handle first = null;
        Handle second = null;
        try {
            first = new Handle(binding, source, sockets, FileUse.NONE, "pipe source");
            second = new Handle(binding, sink, sockets, FileUse.NONE, "pipe sink");
            return new Pipe(first, second);
        } catch (Throwable e) {
            close(binding, first, source, sockets);
            close(binding, second, sink, sockets);
            throw e;
        }
    }

    private static void close(Binding binding, @Nullable Handle handle, long descriptor, boolean isSocket) {
        if (handle != null) {
            handle.close();
        } else {
            OperatingSystem.of(binding).close(descriptor, isSocket);
        }
    }

    /**
     * Receives the available bytes, without waiting.
     *
     * @param destination takes the bytes; its position advances
     * @return the number of bytes received, 0 if none are available now, or {@link SocketStream#END_OF_STREAM} when
     *         every sink of the pipe is closed and everything has been read
     * @throws SystemCallException   if the call fails
     * @throws HandleClosedException if the source is closed
     */
    public int receive(ByteBuffer destination) throws IOException {
        if (!destination.hasRemaining()) {
            return 0;
        }
        long result = ByteTransfer.in(source.descriptor, destination, READ, 0);
        return result == 0 ? SocketStream.END_OF_STREAM : moved("read", source, result);
    }

    /**
     * Sends as many bytes as the pipe takes now, without waiting.
     *
     * @param bytes the bytes; its position advances by what was sent
     * @return the number of bytes sent, possibly 0
     * @throws SystemCallException   {@code EPIPE} if every source of the pipe is closed
     * @throws HandleClosedException if the sink is closed
     */
    public int send(ByteBuffer bytes) throws IOException {
        if (!bytes.hasRemaining()) {
            return 0;
        }
        return moved("write", sink, ByteTransfer.out(sink.descriptor, bytes, WRITE, 0));
    }

    private static int moved(String call, Handle end, long result) throws SystemCallException {
        if (result < 0 && !Errno.EAGAIN.is(result)) {
            throw new SystemCallException(call, end, result);
        }
        return (int) Math.max(0, result);
    }

    /** Closes both ends, the second one even if the close of the first one throws. */
    @Override
    public void close() {
        try {
            source.close();
        } finally {
            sink.close();
        }
    }
}
