package dev.sluice.demultiplexer.handleset;

import dev.sluice.handle.Handle;
import dev.sluice.handle.spi.Descriptors;
import java.nio.file.Path;

/** A handle of the {@link StandInSystem}. */
final class StandInHandle {

    static {
        StandInSystem.use();
    }

    private final int descriptor = StandInSystem.open();
    private final StandInEvent event = StandInSystem.event(descriptor);
    private final Handle handle = Descriptors.adoptFile(descriptor, Path.of("stand-in")).handle();

    Handle handle() {
        return handle;
    }

    /** {@return how often its descriptor has been closed} */
    int closes() {
        return event.closes();
    }

    /** It is of no use any more. */
    void forget() {
        StandInSystem.forget(descriptor);
    }
}
