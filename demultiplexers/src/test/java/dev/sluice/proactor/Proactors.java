package dev.sluice.proactor;

import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.concurrent.ThreadFactory;

/** Proactors on demultiplexers that a test has opened or decorated itself, for tests of other packages. */
public final class Proactors {

    private Proactors() {
    }

    public static Proactor on(AsynchronousEventDemultiplexer demultiplexer, TimerQueue timers) {
        return on(demultiplexer, timers, DispatchTrace.configured());
    }

    public static Proactor on(AsynchronousEventDemultiplexer demultiplexer, TimerQueue timers, DispatchTrace trace) {
        return new Proactor(demultiplexer, timers, System::nanoTime, trace);
    }

    /** {@return a group whose threads run} */
    public static ProactorGroup group(String demultiplexer, int count) throws IOException {
        return group(demultiplexer, count, Thread::new);
    }

    public static ProactorGroup group(String demultiplexer, int count, ThreadFactory threads) throws IOException {
        ProactorGroup group = ProactorGroup.builder().demultiplexer(demultiplexer).loops(count).threadFactory(threads)
                .open();
        group.start();
        return group;
    }

    /** {@return what a proactor waits with} */
    public static AsynchronousEventDemultiplexer demultiplexer(Proactor proactor) {
        return proactor.demultiplexer;
    }
}
