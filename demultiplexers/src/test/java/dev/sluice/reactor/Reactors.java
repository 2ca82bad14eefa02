package dev.sluice.reactor;

import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;

/** Reactors on demultiplexers that a test has opened or decorated itself, for tests of other packages. */
public final class Reactors {

    private Reactors() {
    }

    public static Reactor on(SynchronousEventDemultiplexer demultiplexer, TimerQueue timers) {
        return new Reactor(demultiplexer, timers);
    }

    public static Reactor on(SynchronousEventDemultiplexer demultiplexer, TimerQueue timers, HandleSetKind kind) {
        return new Reactor(demultiplexer, timers, kind);
    }

    public static Reactor on(SynchronousEventDemultiplexer demultiplexer, TimerQueue timers, HandleSetKind kind,
            DispatchTrace trace) {
        return new Reactor(demultiplexer, timers, kind, trace);
    }
}
