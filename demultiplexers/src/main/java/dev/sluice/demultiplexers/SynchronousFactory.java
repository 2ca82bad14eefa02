package dev.sluice.demultiplexers;

import dev.sluice.calls.Availability;
import dev.sluice.calls.Platform;
import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import java.io.IOException;
import java.util.List;

/** Opens a synchronous demultiplexer; whether it works is found out by opening one. */
record SynchronousFactory(String name, HandleSetKind handleSetKind, int priority, List<Platform.Os> systems,
                          Opener opener) implements DemultiplexerFactory {

    /** How it is opened. */
    @FunctionalInterface
    interface Opener {
        SynchronousEventDemultiplexer open() throws IOException;
    }

    @Override
    public Mode mode() {
        return Mode.SYNCHRONOUS;
    }

    @Override
    public Availability availability() {
        if (!systems.contains(Platform.CURRENT.os())) {
            return Systems.notHere(systems);
        }
        try {
            opener.open().close();
            return Availability.USABLE;
        } catch (IOException | IllegalStateException | UnsupportedOperationException e) {
            return Availability.missing(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public SynchronousEventDemultiplexer openSynchronous() throws IOException {
        if (!systems.contains(Platform.CURRENT.os())) {
            throw new UnsupportedOperationException(name + ": " + Systems.notHere(systems).reason());
        }
        return opener.open();
    }
}
