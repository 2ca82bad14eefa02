package dev.sluice.proactor;

import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;

/** Proactors on demultiplexers that a test has opened or decorated itself, for tests of other packages. */
public final class Proactors {

    private Proactors() {
    }

    public static Proactor on(AsynchronousEventDemultiplexer demultiplexer, TimerQueue timers) {
        return on(demultiplexer, timers, DispatchTrace.configured());
    }

    public static Proactor on(AsynchronousEventDemultiplexer demultiplexer, TimerQueue timers, DispatchTrace trace) {
        return new Proactor(demultiplexer, timers, trace);
    }

    /** {@return what a proactor waits with} */
    public static AsynchronousEventDemultiplexer demultiplexer(Proactor proactor) {
        return proactor.demultiplexer;
    }
}
