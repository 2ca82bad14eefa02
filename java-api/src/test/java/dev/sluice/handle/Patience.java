package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.layout.PollConstants;
import java.time.Duration;

/** How long a test waits for what must happen: long enough for the busiest machine. */
final class Patience {

    static final Duration LIMIT = Duration.ofSeconds(30);

    private final long end;

    Patience() {
        this(LIMIT);
    }

    Patience(Duration limit) {
        end = System.nanoTime() + limit.toNanos();
    }

    boolean lasts() {
        Thread.yield();
        return System.nanoTime() - end < 0;
    }

    static void awaitReadable(SocketEndpoint socket) throws Exception {
        await(socket, PollConstants.POLLIN);
    }

    static void awaitWritable(SocketEndpoint socket) throws Exception {
        await(socket, PollConstants.POLLOUT);
    }

    static void await(SocketEndpoint socket, int events) throws Exception {
        assertTrue(socket.handle().await(events, Deadline.in(LIMIT)), () -> "nothing happens on " + socket);
    }
}
