package dev.sluice.demultiplexer.spi;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import java.io.IOException;

/** Opens demultiplexers by name, as {@link Mechanism} chooses them. */
public final class OpenedDemultiplexers {

    private OpenedDemultiplexers() {
    }

    /**
     * Opens a synchronous demultiplexer.
     *
     * @param name one of those listed by {@link Mechanism#available()}, or {@value Mechanism#AUTO}
     * @return the demultiplexer; the caller closes it
     * @throws IllegalArgumentException if there is none of this name, or it is not usable here; the message lists the
     *                                  usable names
     * @throws IllegalStateException    if no native binding is usable
     * @throws IOException              if a system call fails, for example for lack of descriptors
     */
    public static SynchronousEventDemultiplexer openSynchronous(String name) throws IOException {
        return DemultiplexerFactory.of(Mechanism.choose(name, Mode.SYNCHRONOUS)).openSynchronous();
    }

    /** Opens an asynchronous demultiplexer, as {@link #openSynchronous} opens a synchronous one. */
    public static AsynchronousEventDemultiplexer openAsynchronous(String name) throws IOException {
        return DemultiplexerFactory.of(Mechanism.choose(name, Mode.ASYNCHRONOUS)).openAsynchronous();
    }
}
