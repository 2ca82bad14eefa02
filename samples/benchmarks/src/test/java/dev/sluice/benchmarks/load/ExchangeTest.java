package dev.sluice.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A server that does not send back what it got is found out. */
class ExchangeTest {

    private static final int SIZE = 64;
    private static final int DEPTH = 2;

    private final Load load = Load.echo(0, 2, SIZE, DEPTH, 0, Duration.ZERO, Duration.ZERO,
            ProcessHandle.current().pid());
    private final Pattern pattern = new Pattern(2 * SIZE * DEPTH);
    private final Measurement measurement = new Measurement(load.server());
    private final Exchange exchange = new Exchange(0, load, pattern, measurement);

    @Test
    void countsMessagesThatComeBackInPieces() throws IOException {
        measurement.begin();
        ByteBuffer sent = copy(exchange.next());
        exchange.received(sent.slice(0, SIZE + 1));

        assertFalse(exchange.isFull(), "one is back");
        exchange.received(sent.slice(SIZE + 1, SIZE - 1));

        assertTrue(exchange.isComplete());
        measurement.end();
        assertEquals(DEPTH, measurement.result().messages());
    }

    @Test
    void goesOnWhereThePatternBeginsAnew() throws IOException {
        for (int i = 0; i < 5_000; i++) {
            exchange.received(copy(exchange.next()));
        }

        assertTrue(exchange.isComplete());
    }

    @Test
    void seesAWrongByte() {
        ByteBuffer sent = copy(exchange.next());
        sent.put(SIZE - 1, (byte) ~sent.get(SIZE - 1));

        assertThrows(IOException.class, () -> exchange.received(sent));
    }

    @Test
    void seesMessagesInTheWrongOrder() {
        ByteBuffer sent = copy(exchange.next());

        assertThrows(IOException.class, () -> exchange.received(sent.slice(SIZE, SIZE)));
    }

    @Test
    void seesAMessageOfAnotherConnection() {
        exchange.next();

        assertThrows(IOException.class, () -> exchange.received(copy(new Exchange(1, load, pattern, measurement)
                .next())));
    }

    @Test
    void seesAMessageThatComesTwice() throws IOException {
        ByteBuffer sent = copy(exchange.next());
        exchange.received(sent.duplicate());
        exchange.next();

        assertThrows(IOException.class, () -> exchange.received(sent));
    }

    @Test
    void seesMoreThanItHasSent() throws IOException {
        ByteBuffer sent = copy(exchange.next());
        ByteBuffer next = copy(pattern.view().limit(SIZE * DEPTH + SIZE).position(SIZE * DEPTH));
        exchange.received(sent);

        assertThrows(IOException.class, () -> exchange.received(next));
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocateDirect(bytes.remaining()).put(bytes.duplicate()).flip();
    }
}
