package dev.sluice.demultiplexer.standard;

import dev.sluice.calls.Errno;
import dev.sluice.calls.KqueueLibrary;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.DemultiplexerFactory;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import java.io.IOException;

/**
 * Opens the kqueue demultiplexers: the first choice where kqueue is native; on Linux available if a library provides
 * it, but then never preferred to anything else.
 */
record KqueueFactory(DemultiplexerFactory factory) implements DemultiplexerFactory {

    private static final int BELOW_ALL_OTHERS = 100;

    @Override
    public String name() {
        return factory.name();
    }

    @Override
    public Mode mode() {
        return factory.mode();
    }

    @Override
    public HandleSetKind handleSetKind() {
        return factory.handleSetKind();
    }

    @Override
    public int priority() {
        return rank(factory.priority());
    }

    @Override
    public int priorityInTurns() {
        return rank(factory.priorityInTurns());
    }

    private static int rank(int atHome) {
        return KqueueLibrary.file().isPresent() ? atHome - BELOW_ALL_OTHERS : atHome;
    }

    @Override
    public boolean isAtHome() {
        return factory.isAtHome();
    }

    @Override
    public Availability availability() {
        Availability availability = factory.availability();
        if (availability.usable()) {
            return availability;
        }
        if (!KqueueLibrary.isThere()) {
            return Availability.missing(
                    availability.reason() + "; on Linux with -D" + KqueueLibrary.PROPERTY + "=FILE");
        }
        // If a library does not load, the bindings answer its calls like a system that lacks them.
        return KqueueLibrary.file()
                .filter(file -> availability.reason().contains(Errno.ENOSYS.name()))
                .map(file -> Availability.missing("-D" + KqueueLibrary.PROPERTY + "=" + file
                        + " does not load, or has no kqueue"))
                .orElse(availability);
    }

    @Override
    public SynchronousEventDemultiplexer openSynchronous() throws IOException {
        return factory.openSynchronous();
    }

    @Override
    public AsynchronousEventDemultiplexer openAsynchronous() throws IOException {
        return factory.openAsynchronous();
    }
}
