package dev.sluice.demultiplexers;

import dev.sluice.calls.Availability;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import java.util.List;

/** A demultiplexer that this version does not have yet: listed, so that nobody has to guess, and never usable. */
record AnnouncedFactory(String name, Mode mode, HandleSetKind handleSetKind, List<Platform.Os> systems)
        implements DemultiplexerFactory {

    @Override
    public int priority() {
        return Integer.MIN_VALUE;
    }

    @Override
    public Availability availability() {
        return systems.contains(Bindings.current().os())
                ? Availability.missing("not in this version of Sluice yet")
                : Systems.notHere(systems);
    }

    @Override
    public SynchronousEventDemultiplexer openSynchronous() {
        throw new UnsupportedOperationException(name + ": " + availability().reason());
    }
}
