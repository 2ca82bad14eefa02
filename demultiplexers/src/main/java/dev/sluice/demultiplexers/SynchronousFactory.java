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
    public boolean isAtHome() {
        return Systems.areHere(systems);
    }

    @Override
    public Availability availability() {
        return Systems.availability(systems, opener::open);
    }

    @Override
    public SynchronousEventDemultiplexer openSynchronous() throws IOException {
        Systems.require(name, systems);
        return opener.open();
    }
}
