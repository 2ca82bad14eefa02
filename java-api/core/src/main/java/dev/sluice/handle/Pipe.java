package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.Scratch;
import java.io.Closeable;
import java.io.IOException;

/**
 * A pipe of the operating system, non-blocking at both ends; on Windows, whose own pipes no demultiplexer can wait for,
 * a connection over the loopback address.
 *
 * @param source where bytes come out
 * @param sink   where bytes go in
 */
public record Pipe(PipeSource source, PipeSink sink) implements Closeable {

    /**
     * Opens a pipe.
     *
     * @return both ends; the caller closes them, one by one or together
     * @throws SystemCallException if the system has no more descriptors
     */
    public static Pipe open() throws IOException {
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

    /** If there is no memory for it, both ends are closed. */
    private static Pipe of(Binding binding, long source, long sink, boolean sockets) {
        Handle first = null;
        Handle second = null;
        try {
            first = new Handle(binding, source, sockets, "pipe source");
            second = new Handle(binding, sink, sockets, "pipe sink");
            return new Pipe(new PipeSource(first), new PipeSink(second));
        } catch (Throwable e) {
            close(binding, first, source, sockets);
            close(binding, second, sink, sockets);
            throw e;
        }
    }

    private static void close(Binding binding, Handle handle, long descriptor, boolean isSocket) {
        if (handle != null) {
            handle.close();
        } else {
            OperatingSystem.of(binding).close(descriptor, isSocket);
        }
    }

    /** Closes both ends. */
    @Override
    public void close() {
        source.close();
        sink.close();
    }
}
