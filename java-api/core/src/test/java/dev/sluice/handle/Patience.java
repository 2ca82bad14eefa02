package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Emulator;
import dev.sluice.deadline.Deadline;
import dev.sluice.testing.Pause;
import java.time.Duration;

/** The time limit of tests for events that must happen: long enough for the busiest machine. */
final class Patience {

    static final Duration LIMIT = Emulator.patience(Duration.ofSeconds(30));

    private final long end;
    private final Pause pause = new Pause();

    Patience() {
        this(LIMIT);
    }

    Patience(Duration limit) {
        end = System.nanoTime() + limit.toNanos();
    }

    boolean lasts() {
        pause.next();
        return System.nanoTime() - end < 0;
    }

    static void awaitReadable(SocketEndpoint socket) throws Exception {
        await(socket, true);
    }

    static void awaitWritable(SocketEndpoint socket) throws Exception {
        await(socket, false);
    }

    private static void await(SocketEndpoint socket, boolean reading) throws Exception {
        assertTrue(socket.descriptor.await(reading, Deadline.in(LIMIT)), () -> "nothing happens on " + socket);
    }
}
