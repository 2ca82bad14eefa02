package dev.sluice.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.Depth;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.BINDING)
class ListenOptionsTest extends LeakChecked {

    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void optionsOfConnectionsAreSetOnEach() throws Exception {
        ListenOptions options = new ListenOptions().backlog(1).option(StandardSocketOptions.TCP_NODELAY, true)
                .option(NativeSocketOptions.SO_KEEPALIVE, true).option(NativeSocketOptions.SO_RCVBUF, 100_000);
        SocketAcceptor acceptor = own(options.open(LOOPBACK));
        assertFalse(acceptor.getOption(NativeSocketOptions.TCP_NODELAY));
        assertTrue(acceptor.getOption(NativeSocketOptions.SO_RCVBUF) >= 100_000);
        own(SocketConnector.connect(acceptor.localAddress(), LIMIT));
        SocketStream stream = own(acceptor.accept(LIMIT));
        options.applyTo(stream);
        assertTrue(stream.getOption(NativeSocketOptions.TCP_NODELAY));
        assertTrue(stream.getOption(NativeSocketOptions.SO_KEEPALIVE));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void severalMayListenOnOnePort() throws Exception {
        ListenOptions options = new ListenOptions().reusePort();
        SocketAcceptor first = own(options.open(LOOPBACK));
        own(options.open(first.localAddress()));
        assertThrows(SystemCallException.class, () -> new ListenOptions().open(first.localAddress()));
    }

    @Test
    void unknownOptionLeaksNoSocket() {
        ListenOptions options = new ListenOptions().option(StandardSocketOptions.IP_MULTICAST_TTL, 1);
        assertThrows(UnsupportedOperationException.class, () -> options.open(LOOPBACK));
    }

    @Test
    void defaultsAreNewForEachAcceptor() {
        ListenOptions options = new ListenOptions();
        assertNotSame(options.connections(), options.connections());
        assertNotSame(options.distribution(), options.distribution());
        Connections connections = new Connections();
        Distribution first = (connection, loops) -> 0;
        options.connections(connections).distribution(first);
        assertSame(connections, options.connections());
        assertSame(first, options.distribution());
    }

    @Test
    void rejectsInvalidDirections() {
        ListenOptions options = new ListenOptions();
        assertThrows(IllegalArgumentException.class, () -> options.backlog(0));
        assertThrows(NullPointerException.class, () -> options.connections(null));
        assertThrows(NullPointerException.class, () -> options.distribution(null));
        assertEquals("TCP_NODELAY", assertThrows(NullPointerException.class,
                () -> options.option(StandardSocketOptions.TCP_NODELAY, null)).getMessage());
    }
}
