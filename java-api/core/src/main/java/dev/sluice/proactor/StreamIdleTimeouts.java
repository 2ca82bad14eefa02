package dev.sluice.proactor;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.dispatch.IdleTimeout;
import dev.sluice.timer.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The idle timeouts of a connection, one for each direction. */
final class StreamIdleTimeouts {

    private final StreamConnection connection;
    private final Proactor proactor;
    private final @Nullable ForDirection[] begun = new ForDirection[3];

    StreamIdleTimeouts(StreamConnection connection, Proactor proactor) {
        this.connection = connection;
        this.proactor = proactor;
    }

    void set(Interest direction, Duration time) {
        if (direction.isEmpty() || !Interest.READ_WRITE.contains(direction)) {
            throw new IllegalArgumentException("idleTimeout: direction " + direction
                    + "; need READ, WRITE or READ_WRITE");
        }
        long nanos = Timeout.nanos("time", time);
        int index = direction == Interest.READ ? 0 : direction == Interest.WRITE ? 1 : 2;
        ForDirection before = begun[index];
        if (before != null) {
            before.end();
            begun[index] = null;
        }
        if (nanos > 0 && !connection.isClosing()) {
            ForDirection next = new ForDirection(direction);
            begun[index] = next;
            next.begin(nanos);
        }
    }

    void end() {
        for (ForDirection each : begun) {
            if (each != null) {
                each.end();
            }
        }
    }

    private final class ForDirection extends IdleTimeout {

        private final Runnable comparing = this::compare;

        ForDirection(Interest direction) {
            super(direction);
        }

        @Override
        public void handleTimeout(@Nullable Object token) {
            connection.inOrder(comparing);
        }

        @Override
        protected long received() {
            return connection.input().receivedBytes();
        }

        @Override
        protected long sent() {
            return connection.output().sent();
        }

        @Override
        protected Timer schedule(Duration period) {
            return proactor.schedule(this, null, period, period);
        }

        @Override
        protected void idle() {
            connection.idle(direction());
        }
    }
}
