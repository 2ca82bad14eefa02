package dev.sluice.demultiplexer.handleset;

import dev.sluice.handle.SystemCallException;
import java.io.UncheckedIOException;

/** A wake-up on the {@link StandInSystem}. */
final class StandInWakeUp {

    static {
        StandInSystem.use();
    }

    private final WakeUp wakeUp;
    private final long descriptor;
    private final StandInEvent event;

    private StandInWakeUp(WakeUp wakeUp) {
        this.wakeUp = wakeUp;
        descriptor = wakeUp.descriptor();
        event = StandInSystem.event(descriptor);
    }

    static StandInWakeUp open() {
        try {
            return new StandInWakeUp(new WakeUp("stand-in"));
        } catch (SystemCallException e) {
            throw new UncheckedIOException(e);
        }
    }

    WakeUp wakeUp() {
        return wakeUp;
    }

    StandInEvent event() {
        return event;
    }

    /** It is of no use any more. */
    void forget() {
        StandInSystem.forget(descriptor);
    }
}
