package dev.sluice.handle;

import static dev.sluice.handle.NativeSocketOptions.IPV6_TCLASS;
import static dev.sluice.handle.NativeSocketOptions.IPV6_V6ONLY;
import static dev.sluice.handle.NativeSocketOptions.IP_TOS;
import static dev.sluice.handle.NativeSocketOptions.IP_TTL;
import static dev.sluice.handle.NativeSocketOptions.SO_BROADCAST;
import static dev.sluice.handle.NativeSocketOptions.SO_INCOMING_CPU;
import static dev.sluice.handle.NativeSocketOptions.SO_KEEPALIVE;
import static dev.sluice.handle.NativeSocketOptions.SO_LINGER;
import static dev.sluice.handle.NativeSocketOptions.SO_OOBINLINE;
import static dev.sluice.handle.NativeSocketOptions.SO_RCVBUF;
import static dev.sluice.handle.NativeSocketOptions.SO_REUSEADDR;
import static dev.sluice.handle.NativeSocketOptions.SO_REUSEPORT;
import static dev.sluice.handle.NativeSocketOptions.SO_SNDBUF;
import static dev.sluice.handle.NativeSocketOptions.TCP_CORK;
import static dev.sluice.handle.NativeSocketOptions.TCP_DEFER_ACCEPT;
import static dev.sluice.handle.NativeSocketOptions.TCP_FASTOPEN;
import static dev.sluice.handle.NativeSocketOptions.TCP_KEEPCNT;
import static dev.sluice.handle.NativeSocketOptions.TCP_KEEPIDLE;
import static dev.sluice.handle.NativeSocketOptions.TCP_KEEPINTVL;
import static dev.sluice.handle.NativeSocketOptions.TCP_NODELAY;
import static dev.sluice.handle.NativeSocketOptions.TCP_QUICKACK;
import static dev.sluice.handle.NativeSocketOptions.TCP_USER_TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.calls.Emulator;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every option, on a socket that supports it and on one that does not. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class NativeSocketOptionsTest extends LeakChecked {

    private interface Opening {
        SocketEndpoint open() throws IOException;
    }

    private static final Opening STREAM_ACCEPTOR = () -> SocketAcceptor.unbound(StandardProtocolFamily.INET);
    private static final Opening STREAM_ACCEPTOR6 = () -> SocketAcceptor.unbound(StandardProtocolFamily.INET6);
    private static final Opening DATAGRAM = () -> SocketDatagram.unbound(StandardProtocolFamily.INET);

    @TempDir
    Path directory;

    /** An option, a suitable socket (null for a connection), and values to set; the last one is not the default. */
    private record Setting<T>(SocketOption<T> option, Opening opening, T first, T second) {

        void check(SocketEndpoint socket) throws IOException {
            check(socket, first);
            check(socket, second);
        }

        private void check(SocketEndpoint socket, T value) throws IOException {
            socket.setOption(option, value);
            assertRead(value, socket.getOption(option));
        }

        private void assertRead(T value, T read) {
            boolean rounded = option == SO_SNDBUF || option == SO_RCVBUF || option == TCP_DEFER_ACCEPT;
            if (rounded) {
                assertTrue((Integer) read >= (Integer) value, () -> option + "=" + value + " reads " + read);
            } else {
                assertEquals(value, read, option.name());
            }
        }

        @Override
        public String toString() {
            return option.name();
        }
    }

    /** Winsock rejects the first for a socket with exclusive use of its address, and does not have the others. */
    private static final Set<String> NOT_OF_WINDOWS = Set.of("SO_REUSEADDR", "SO_REUSEPORT", "SO_INCOMING_CPU",
            "TCP_CORK", "TCP_QUICKACK", "TCP_DEFER_ACCEPT", "TCP_USER_TIMEOUT");
    private static final Set<String> NOT_OF_WINE =
            Set.of("IPV6_TCLASS", "TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT", "TCP_FASTOPEN");

    static Stream<Setting<?>> settings() {
        return Stream.of(
                new Setting<>(SO_REUSEADDR, STREAM_ACCEPTOR, false, true),
                new Setting<>(SO_REUSEPORT, STREAM_ACCEPTOR, false, true),
                new Setting<>(SO_KEEPALIVE, null, false, true),
                new Setting<>(SO_BROADCAST, DATAGRAM, false, true),
                new Setting<>(SO_OOBINLINE, null, false, true),
                new Setting<>(SO_SNDBUF, DATAGRAM, 20_000, 200_000),
                new Setting<>(SO_RCVBUF, STREAM_ACCEPTOR, 20_000, 200_000),
                new Setting<>(SO_LINGER, null, -1, 5),
                new Setting<>(SO_INCOMING_CPU, STREAM_ACCEPTOR, 0, 1),
                new Setting<>(IP_TOS, null, 0, 0x10),
                new Setting<>(IP_TTL, DATAGRAM, 1, 42),
                new Setting<>(IPV6_V6ONLY, STREAM_ACCEPTOR6, false, true),
                new Setting<>(IPV6_TCLASS, STREAM_ACCEPTOR6, 0, 0x20),
                new Setting<>(TCP_NODELAY, null, false, true),
                new Setting<>(TCP_CORK, null, false, true),
                new Setting<>(TCP_QUICKACK, null, false, true),
                new Setting<>(TCP_KEEPIDLE, null, 1, 77),
                new Setting<>(TCP_KEEPINTVL, null, 1, 7),
                new Setting<>(TCP_KEEPCNT, null, 1, 5),
                new Setting<>(TCP_DEFER_ACCEPT, STREAM_ACCEPTOR, 0, 3),
                new Setting<>(TCP_USER_TIMEOUT, null, 0, 12_345),
                new Setting<>(TCP_FASTOPEN, STREAM_ACCEPTOR, 0, 5));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void setAndReadBack(Setting<?> setting) throws Exception {
        if (setting.toString().equals("SO_INCOMING_CPU")) {
            Emulator.deviates("does not know SO_INCOMING_CPU");
        }
        if (NOT_OF_WINE.contains(setting.toString())) {
            WineDifference.LACKS_SOCKET_OPTIONS.assumeAbsent();
        }
        SocketEndpoint socket = setting.opening() == null ? own(Transport.TCP4.connect(directory)).client()
                : own(opened(setting.opening()));
        if (CalledSystem.isWindows() && NOT_OF_WINDOWS.contains(setting.toString())) {
            assertThrows(SystemCallException.class, () -> setting.check(socket));
        } else {
            setting.check(socket);
        }
    }

    private static SocketEndpoint opened(Opening opening) throws IOException {
        try {
            return opening.open();
        } catch (SystemCallException e) {
            assumeFalse(e.errorName().equals("EAFNOSUPPORT"), "no IPv6 here");
            throw e;
        }
    }

    @Test
    void allOptionsAreTested() {
        Set<String> tested = settings().map(Setting::toString).collect(Collectors.toCollection(TreeSet::new));
        Set<String> all = NativeSocketOptions.all().stream().map(SocketOption::name)
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(all, tested);
        assertThrows(UnsupportedOperationException.class, () -> NativeSocketOptions.all().clear());
    }

    @Test
    void lingerKnowsOffAndNone() throws Exception {
        SocketStream stream = own(Transport.TCP4.connect(directory)).client();
        assertEquals(-1, stream.getOption(SO_LINGER));
        stream.setOption(SO_LINGER, 0);
        assertEquals(0, stream.getOption(SO_LINGER));
        stream.setOption(SO_LINGER, -1);
        assertEquals(-1, stream.getOption(SO_LINGER));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void optionsOfTheJdkAreTakenByName() throws Exception {
        SocketAcceptor acceptor = own(SocketAcceptor.unbound(StandardProtocolFamily.INET));
        assertShared(acceptor, StandardSocketOptions.SO_REUSEADDR, SO_REUSEADDR, true);
        assertShared(acceptor, StandardSocketOptions.SO_REUSEPORT, SO_REUSEPORT, true);
        SocketStream stream = own(Transport.TCP4.connect(directory)).client();
        assertShared(stream, StandardSocketOptions.TCP_NODELAY, TCP_NODELAY, true);
        assertShared(stream, StandardSocketOptions.SO_KEEPALIVE, SO_KEEPALIVE, true);
        assertShared(stream, StandardSocketOptions.SO_LINGER, SO_LINGER, 9);
        assertShared(stream, StandardSocketOptions.IP_TOS, IP_TOS, 0x10);
        SocketDatagram datagram = own(SocketDatagram.unbound(StandardProtocolFamily.INET));
        assertShared(datagram, StandardSocketOptions.SO_BROADCAST, SO_BROADCAST, true);
        datagram.setOption(StandardSocketOptions.SO_SNDBUF, 30_000);
        assertEquals(datagram.getOption(SO_SNDBUF), datagram.getOption(StandardSocketOptions.SO_SNDBUF));
        datagram.setOption(StandardSocketOptions.SO_RCVBUF, 30_000);
        assertEquals(datagram.getOption(SO_RCVBUF), datagram.getOption(StandardSocketOptions.SO_RCVBUF));
    }

    private static <T> void assertShared(SocketEndpoint socket, SocketOption<T> jdk, SocketOption<T> ours, T value)
            throws IOException {
        socket.setOption(jdk, value);
        assertEquals(value, socket.getOption(ours), jdk.name());
        assertEquals(value, socket.getOption(jdk), jdk.name());
    }

    @Test
    void unknownOptionIsNamedAmongTheKnown() throws Exception {
        SocketDatagram datagram = own(SocketDatagram.unbound(StandardProtocolFamily.INET));
        for (UnsupportedOperationException e : new UnsupportedOperationException[] {
            assertThrows(UnsupportedOperationException.class,
                    () -> datagram.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1)),
            assertThrows(UnsupportedOperationException.class,
                    () -> datagram.getOption(StandardSocketOptions.IP_MULTICAST_TTL)),
        }) {
            assertTrue(e.getMessage().startsWith(
                    "socket option IP_MULTICAST_TTL is not known; known are [SO_REUSEADDR, "), e::getMessage);
        }
    }

    @Test
    void knownNameWithAnotherTypeIsRefused() throws Exception {
        SocketDatagram datagram = own(SocketDatagram.unbound(StandardProtocolFamily.INET));
        SocketOption<Integer> other = new SocketOption<>() {
            @Override
            public String name() {
                return "SO_REUSEADDR";
            }

            @Override
            public Class<Integer> type() {
                return Integer.class;
            }
        };
        assertThrows(UnsupportedOperationException.class, () -> datagram.setOption(other, 1));
        NullPointerException e = assertThrows(NullPointerException.class, () -> datagram.setOption(SO_SNDBUF, null));
        assertEquals("SO_SNDBUF", e.getMessage());
    }

    @Test
    void optionThatDoesNotFitIsNamed() throws Exception {
        SocketStream unix = own(Transport.UNIX.connect(directory)).client();
        SystemCallException set = assertThrows(SystemCallException.class, () -> unix.setOption(TCP_NODELAY, true));
        assertEquals("setsockopt TCP_NODELAY=true " + unix + ": EOPNOTSUPP (operation not supported)",
                set.getMessage());
        SystemCallException get = assertThrows(SystemCallException.class, () -> unix.getOption(TCP_NODELAY));
        assertEquals("getsockopt TCP_NODELAY " + unix + ": EOPNOTSUPP (operation not supported)", get.getMessage());
        SocketDatagram udp = own(SocketDatagram.unbound(StandardProtocolFamily.INET));
        assertEquals("ENOPROTOOPT",
                assertThrows(SystemCallException.class, () -> udp.setOption(TCP_KEEPCNT, 3)).errorName());
        assertEquals("EINVAL",
                assertThrows(SystemCallException.class, () -> udp.setOption(IP_TTL, 1000)).errorName());
    }
}
