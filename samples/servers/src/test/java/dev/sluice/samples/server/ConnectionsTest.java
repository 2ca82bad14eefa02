package dev.sluice.samples.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Connections whose clients keep them waiting. */
class ConnectionsTest {

    private static final class Late implements Connections.Finishing {

        private final Error failure;
        private int expirations;

        Late(Error failure) {
            this.failure = failure;
        }

        @Override
        public void finish() {
            // It never ends.
        }

        @Override
        public boolean isLate(long now) {
            return true;
        }

        @Override
        public void expire() {
            expirations++;
            if (failure != null) {
                throw failure;
            }
        }
    }

    @Test
    void oneThatFailsToExpireHoldsUpNoOther() {
        StackOverflowError failure = new StackOverflowError("late");
        Late first = new Late(failure);
        Late second = new Late(failure);
        Late third = new Late(null);
        Connections connections = new Connections();
        connections.add(first);
        connections.add(second);
        connections.add(third);
        assertSame(failure, assertThrows(StackOverflowError.class, connections::expire));
        assertEquals(1, first.expirations);
        assertEquals(1, second.expirations);
        assertEquals(1, third.expirations);
    }
}
