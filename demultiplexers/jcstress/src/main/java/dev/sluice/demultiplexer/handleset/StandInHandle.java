package dev.sluice.demultiplexer.handleset;

import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.system.OpenOptions;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** A handle of the {@link StandInSystem}. */
final class StandInHandle {

    static {
        StandInSystem.use();
    }

    private final int descriptor = StandInSystem.open();
    private final StandInEvent event = StandInSystem.event(descriptor);
    private final Handle handle = adopt(descriptor);

    private static Handle adopt(int descriptor) {
        try {
            return Descriptors.adoptFile(descriptor, Path.of("stand-in"), OpenOptions.of()).handle();
        } catch (SystemCallException e) {
            throw new UncheckedIOException(e);
        }
    }

    Handle handle() {
        return handle;
    }

    /** {@return how often its descriptor has been closed} */
    int closes() {
        return event.closes();
    }

    /** Removes the descriptor when the handle is no longer used. */
    void forget() {
        StandInSystem.forget(descriptor);
    }
}
