package dev.sluice.reactor;

import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;

/** Reactors on demultiplexers that a test has opened or decorated itself. */
public final class Reactors {

    private Reactors() {
    }

    public static Reactor on(SynchronousEventDemultiplexer demultiplexer, TimerQueue timers) {
        return on(demultiplexer, timers, demultiplexer.handleSetKind());
    }

    public static Reactor on(SynchronousEventDemultiplexer demultiplexer, TimerQueue timers, HandleSetKind kind) {
        return on(demultiplexer, timers, kind, DispatchTrace.configured());
    }

    public static Reactor on(SynchronousEventDemultiplexer demultiplexer, TimerQueue timers, HandleSetKind kind,
            DispatchTrace trace) {
        return new Reactor(demultiplexer, timers, System::nanoTime, kind, Dispatcher.RECEIVE_SIZE, trace);
    }
}
