package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A hook that leaves some of what there is: whatever the trigger, it is called again. */
@RunsOn(each = true)
class UndrainedHandleTest extends ReactorContract {

    private static final int BYTES = 5;

    /** Takes one byte at a time. */
    private static final class Nibbler extends OneHandleHandler {

        private final Pipe pipe;
        private final boolean drains;
        private int received;
        private int calls;

        Nibbler(Pipe pipe, boolean drains) {
            this.pipe = pipe;
            this.drains = drains;
        }

        @Override
        public Handle handle() {
            return pipe.source();
        }

        @Override
        public boolean drains() {
            return drains;
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            calls++;
            received += pipe.receive(ByteBuffer.allocate(1));
        }

        @Override
        public void handleOutput(Registration registration) {
            calls++;
        }
    }

    private Nibbler register(boolean drains) throws IOException {
        Pipe pipe = pipe();
        Nibbler nibbler = new Nibbler(pipe, drains);
        nibbler.register(reactor, Interest.READ);
        pipe.send(ByteBuffer.wrap(new byte[BYTES]));
        return nibbler;
    }

    @Test
    void aHookThatLeavesBytesIsCalledAgain() throws Exception {
        Nibbler nibbler = register(false);
        runUntil(() -> nibbler.received == BYTES);
        runUntilIdle();
        assertEquals(BYTES, nibbler.calls);
        send(nibbler.pipe);
        runUntil(() -> nibbler.received == BYTES + 1);
    }

    @Test
    void aHookThatDoesNotFillTheSocketIsCalledAgain() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder handler = recorder("writer", connection.near().handle());
        handler.register(reactor, Interest.WRITE);
        runUntil(() -> handler.count("output") >= 3);
        handler.registration().interest(Interest.NONE);
        int before = handler.count("output");
        runUntilIdle();
        assertEquals(before, handler.count("output"));
    }

    @Test
    void anAcceptorThatTakesOneConnectionIsCalledAgain() throws Exception {
        SocketAcceptor acceptor = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        Recorder handler = recorder("acceptor", acceptor.handle());
        handler.onInput(() -> own(acceptor.accept()));
        for (int i = 0; i < 3; i++) {
            own(SocketConnector.connect(acceptor.localAddress(), LIMIT));
        }
        handler.register(reactor, Interest.READ);
        runUntil(() -> handler.count("input") == 3);
    }

    @Test
    void anEdgeTriggeredSetTakesAHandlerAtItsWordThatItDrains() throws Exception {
        boolean edge = reactor.demultiplexer.trigger() == Trigger.EDGE;
        Nibbler nibbler = register(true);
        runUntil(() -> nibbler.received == (edge ? 1 : BYTES));
        runUntilIdle();
        assertEquals(nibbler.calls, nibbler.received);
        assertEquals(edge ? 1 : BYTES, nibbler.received);
    }

    @Test
    void aHandlerThatDrainsButGivesWayHasTheHandleReactivated() throws Exception {
        Nibbler nibbler = register(true);
        for (int i = 1; i <= BYTES; i++) {
            int expected = i;
            runUntil(() -> nibbler.received >= expected);
            nibbler.registration().pause();
            nibbler.registration().resume();
        }
        runUntilIdle();
        assertEquals(BYTES, nibbler.received);
    }
}
