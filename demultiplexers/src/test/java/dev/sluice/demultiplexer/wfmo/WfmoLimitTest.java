package dev.sluice.demultiplexer.wfmo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("windows")
@Tag(Depth.TRANSFER)
class WfmoLimitTest extends LeakChecked {

    private static final int LIMIT = 63;
    private static final long PATIENCE = Duration.ofSeconds(30).toNanos();

    private final List<SocketDatagram> sockets = new ArrayList<>();
    private final List<Membership> registrations = new ArrayList<>();
    private WfmoDemultiplexer demultiplexer;
    private ReadyBatch ready;

    @BeforeEach
    void registerAsManyAsFit() throws IOException {
        demultiplexer = new WfmoDemultiplexer();
        own(demultiplexer);
        ready = own(demultiplexer.newReadyBatch(1));
        for (int i = 0; i < LIMIT; i++) {
            sockets.add(socket());
            registrations.add(register(sockets.get(i)));
        }
    }

    private SocketDatagram socket() throws IOException {
        return own(SocketDatagram.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    private Membership register(SocketDatagram socket) throws IOException {
        return demultiplexer.register(socket.handle(), EventType.READ, null);
    }

    private void assertReported(Membership registration, SocketDatagram socket) throws IOException {
        socket().send(ByteBuffer.allocate(1), socket.localAddress());
        assertEquals(1, demultiplexer.awaitReady(ready, PATIENCE));
        assertSame(registration, ready.membership(0));
    }

    @Test
    void eachOfThemIsReported() throws IOException {
        for (int i = 0; i < LIMIT; i++) {
            assertReported(registrations.get(i), sockets.get(i));
        }
    }

    @Test
    void oneMoreIsRefusedAndTheOthersGoOn() throws IOException {
        SocketDatagram oneMore = socket();
        String message = assertThrows(IOException.class, () -> register(oneMore)).getMessage();
        assertTrue(message.contains("MAXIMUM_WAIT_OBJECTS") && message.contains(oneMore.toString()), message);
        assertReported(registrations.get(LIMIT - 1), sockets.get(LIMIT - 1));
    }

    @Test
    void removalFreesAPlace() throws IOException {
        registrations.get(7).remove();
        SocketDatagram another = socket();
        assertReported(register(another), another);
    }
}
