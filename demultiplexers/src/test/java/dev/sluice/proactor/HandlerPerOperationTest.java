package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which handler is called for an operation: that of its object, that of its start, or a future. */
class HandlerPerOperationTest extends ProactorContract {

    @Test
    void handlerOfAStartReplacesThatOfTheObject() throws Exception {
        Connection connection = tcp();
        AsyncStream stream = async(connection.near());
        CompletionRecorder own = recorder("own");
        stream.withHandler(own).send(heap("abc"), "own");
        stream.send(heap("de"), "other");
        stream.withHandler(own).poll(Interest.WRITE, "poll");
        runUntil(() -> own.over() == 2 && recorder.over() == 1);
        assertEquals(3, own.last("own").bytes());
        assertEquals(OperationType.POLL, own.last("poll").type());
        assertEquals(2, recorder.last("other").bytes());
        assertEquals("abcde", receive(connection, 5));
    }

    @Test
    void handlerOfAStartReceivesItsOwnFailure() throws Exception {
        Connection connection = tcp();
        AsyncStream stream = async(connection.near());
        CompletionRecorder own = recorder("own").on(OperationType.SEND, completion -> {
            throw new IOException("thrown by the test");
        });
        stream.withHandler(own).send(heap("abc"), "own");
        runUntil(() -> !own.failures().isEmpty());
        assertEquals(List.of(stream.handle()), own.failed());
        assertEquals(List.of(), recorder.failures());
    }

    @Test
    void futuresNeedNoHandler() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (SocketAcceptor listening = SocketAcceptor.open(any)) {
            AsyncAcceptor acceptor = new AsyncAcceptor(proactor, listening);
            var accepting = acceptor.acceptFuture();
            SocketStream near = own(result(proactor.connectFuture(listening.localAddress(), Duration.ofMinutes(1))));
            SocketStream far = own(result(accepting));
            AsyncStream sender = new AsyncStream(proactor, near);
            AsyncStream receiver = new AsyncStream(proactor, far);
            assertEquals(3L, result(sender.sendFuture(heap("abc"))));
            ByteBuffer room = ByteBuffer.allocate(10);
            assertEquals(3L, result(receiver.receiveFuture(room)));
            assertReceived("abc", room);
        }
    }

    @Test
    void withoutAnyHandlerAStartIsRefusedAndLeavesNothing() throws Exception {
        Connection connection = tcp();
        AsyncStream stream = new AsyncStream(proactor, connection.near());
        IllegalStateException refusal = assertThrows(IllegalStateException.class, () -> stream.send(heap("a"), null));
        assertTrue(refusal.getMessage().contains("Future"), refusal::getMessage);
        assertThrows(NullPointerException.class, () -> stream.withHandler(null));
        assertEquals(0, proactor.demultiplexer.inFlight());
        assertThrows(NullPointerException.class,
                () -> proactor.connect(null, null, connection.near().localAddress(), LIMIT));
    }

    @Test
    void aWrongArgumentLeavesTheOperationFree() throws Exception {
        AsyncStream stream = async(tcp().near());
        for (int i = 0; i < 100; i++) {
            assertThrows(IllegalArgumentException.class, () -> stream.receive(ByteBuffer.allocate(0), "full"));
            assertThrows(NullPointerException.class, () -> stream.send((ByteBuffer) null, "none"));
        }
        long ticket = stream.send(heap("a"), "sent");
        assertEquals(0, ticket & (1 << 24) - 1, "the first operation of the handle serves all");
        assertEquals(1, result("sent").bytes());
    }
}
