package dev.sluice.handle.spi;

import dev.sluice.deadline.Deadline;
import dev.sluice.system.OperatingSystem;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Waits on a socket of which other handles have descriptors as well. A shutdown, which would end the wait when the
 * handle is closed, would end the use of the socket by these handles too. So the wait checks for the close from time to
 * time.
 */
final class SharedWait {

    /** The interval of the checks. */
    private static final Duration CLOSE_CHECK = Duration.ofMillis(20);

    private SharedWait() {
    }

    /** As {@link OperatingSystem#await}. */
    static int await(OperatingSystem system, long socket, boolean reading, Deadline wait, BooleanSupplier isOpen) {
        int result;
        do {
            long left = wait.remaining();
            Duration part = left < 0 || left > CLOSE_CHECK.toNanos() ? CLOSE_CHECK : Duration.ofNanos(left);
            result = system.await(socket, reading, Deadline.in(part), isOpen);
        } while (result == 0 && !wait.isOver() && isOpen.getAsBoolean());
        return result;
    }
}
