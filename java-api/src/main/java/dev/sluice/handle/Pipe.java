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
            return new Pipe(new PipeSource(new Handle(binding, source, sockets, "pipe source")),
                    new PipeSink(new Handle(binding, sink, sockets, "pipe sink")));
        }
    }

    /** Closes both ends. */
    @Override
    public void close() {
        source.close();
        sink.close();
    }
}
