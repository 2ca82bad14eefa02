package dev.sluice.eventloop;

import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import org.jspecify.annotations.Nullable;

/** A timer of an event loop. */
final class LoopTimer extends Timer {

    private final Loop loop;

    LoopTimer(Loop loop, TimeoutHandler handler, @Nullable Object token, long deadline, long period) {
        super(handler, token, deadline, period);
        this.loop = loop;
    }

    LoopTimer(Loop loop, TimeoutHandler handler, @Nullable Object token) {
        super(handler, token);
        this.loop = loop;
    }

    @Override
    protected void startIn(long delayNanos) {
        loop.requireOpen("start");
        if (!loop.work.hasEnded()) {
            loop.start(this, loop.clock.getAsLong() + delayNanos);
        }
    }

    @Override
    protected void cancelled() {
        loop.remove(this);
    }
}
