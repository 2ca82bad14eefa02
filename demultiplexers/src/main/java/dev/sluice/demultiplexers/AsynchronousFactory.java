package dev.sluice.demultiplexers;

import dev.sluice.calls.Availability;
import dev.sluice.calls.Platform;
import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.HandleSetKind;
import java.io.IOException;
import java.util.List;

/** Opens an asynchronous demultiplexer; whether it works is found out by opening one. */
record AsynchronousFactory(String name, HandleSetKind handleSetKind, int priority, List<Platform.Os> systems,
                           Opener opener) implements DemultiplexerFactory {

    /** How it is opened. */
    @FunctionalInterface
    interface Opener {
        AsynchronousEventDemultiplexer open() throws IOException;
    }

    @Override
    public Mode mode() {
        return Mode.ASYNCHRONOUS;
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
    public AsynchronousEventDemultiplexer openAsynchronous() throws IOException {
        Systems.require(name, systems);
        return opener.open();
    }
}
