package dev.sluice.mechanism;

import dev.sluice.calls.Availability;
import dev.sluice.calls.Errno;
import dev.sluice.calls.KqueueLibrary;
import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import java.io.IOException;

/**
 * Opens what works by kqueue: best where it is at home, and on Linux there if a library has it, but then not to be
 * preferred to anything.
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
        return KqueueLibrary.file().isPresent() ? factory.priority() - BELOW_ALL_OTHERS : factory.priority();
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
        // The bindings answer calls of a library that does not load as a system does that lacks them.
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
