package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.Reactor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A stream leaves one loop for another, with no operation in flight. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "a completion port keeps a handle for as long as that is open")
class StreamDetachTest extends ProactorContract {

    private static final Duration STEP = Duration.ofMillis(100);

    private Connection connection;
    private AsyncStream stream;

    @BeforeEach
    void receiveHere() throws IOException {
        connection = unix();
        stream = new AsyncStream(proactor, connection.near());
        connection.far().send(heap("here"));
        ByteBuffer first = direct("....");
        assertEquals(4, result(stream.receiveFuture(first)));
    }

    @Test
    void anotherProactorServesIt() throws IOException {
        connection.far().send(heap("there"));
        SocketStream left = stream.detach();
        assertSame(connection.near(), left);
        assertTrue(left.handle().isOpen());
        try (Proactor other = Proactor.open(demultiplexer)) {
            AsyncStream next = new AsyncStream(other, left);
            ByteBuffer second = direct(".....");
            CompletableFuture<Long> received = next.receiveFuture(second);
            while (!received.isDone()) {
                other.runOnce(STEP);
            }
            assertEquals(5, received.join());
            assertReceived("there", second);
        }
    }

    @Test
    void aReactorServesIt() throws IOException {
        SocketStream left = stream.detach();
        AtomicBoolean ready = new AtomicBoolean();
        try (Reactor other = Reactor.open()) {
            other.register(left.handle(), Interest.READ, registration -> ready.set(true));
            connection.far().send(heap("there"));
            while (!ready.get()) {
                other.runOnce(STEP);
            }
            ByteBuffer second = heap(".....");
            assertEquals(5, left.receive(second));
            assertReceived("there", second);
        }
    }

    @Test
    void nothingIsStartedHereAnyMore() throws IOException {
        stream.detach();
        CompletableFuture<Long> late = stream.receiveFuture(direct("...."));
        runUntil(late::isDone);
        Throwable cause = assertThrows(Exception.class, late::join);
        assertTrue(cause instanceof CancellationException || cause instanceof CompletionException, cause.toString());
        assertTrue(connection.near().handle().isOpen());
        stream.detach();
    }
}
