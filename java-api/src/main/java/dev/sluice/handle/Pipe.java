package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.layout.FileConstants;
import java.io.Closeable;
import java.io.IOException;

/**
 * A pipe of the operating system, non-blocking at both ends.
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
        Scratch scratch = Scratch.current(binding);
        int result = binding.linux().pipe2(scratch.address(Scratch.VALUE),
                FileConstants.O_NONBLOCK | FileConstants.O_CLOEXEC);
        if (result < 0) {
            throw new SystemCallException("pipe2", "pipe", result);
        }
        int source = scratch.memory().getInt(Scratch.VALUE);
        int sink = scratch.memory().getInt(Scratch.VALUE + Integer.BYTES);
        return new Pipe(new PipeSource(new Handle(binding, source, "pipe source")),
                new PipeSink(new Handle(binding, sink, "pipe sink")));
    }

    /** Closes both ends. */
    @Override
    public void close() {
        source.close();
        sink.close();
    }
}
