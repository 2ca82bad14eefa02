package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Bsd;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Platform.Os;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.BsdConstants;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The system calls for macOS and the BSDs, as far as Linux has them. The others are simulated: an option and a command
 * of macOS, and {@code sendfile} of those systems.
 */
@Tag(Depth.IN_QUICK)
@EnabledOnOs(OS.LINUX)
class BsdSystemTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final SocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final Binding real = Bindings.current();
    private final Linux linux = real.linux();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    /** The maximum that the simulated sendfile sends at a time, and its result. */
    private int taken = Integer.MAX_VALUE;
    private int outcome;
    /** The result of the simulated F_FULLFSYNC. */
    private int forced;

    @AfterEach
    void restore() {
        Bindings.use(real);
    }

    private void pretend(Os os) {
        Bindings.use(new Binding("playing " + os, os, real.memory(), posix(), null, bsd(), null));
    }

    private Posix posix() {
        return (Posix) Proxy.newProxyInstance(Posix.class.getClassLoader(), new Class<?>[] {Posix.class},
                (proxy, method, arguments) -> {
                    calls.add(method.getName() + Arrays.toString(arguments));
                    boolean played = switch (method.getName()) {
                        case "setsockopt" -> arguments[2].equals(BsdConstants.SO_NOSIGPIPE);
                        case "fcntl" -> arguments[1].equals(BsdConstants.F_FULLFSYNC);
                        default -> false;
                    };
                    try {
                        return !played ? method.invoke(real.posix(), arguments)
                                : method.getName().equals("fcntl") ? forced : 0;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Bsd bsd() {
        return (Bsd) Proxy.newProxyInstance(Bsd.class.getClassLoader(), new Class<?>[] {Bsd.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "accept4" -> linux.accept4((int) arguments[0], (long) arguments[1], (long) arguments[2],
                            (int) arguments[3]);
                    case "pipe2" -> linux.pipe2((long) arguments[0], (int) arguments[1]);
                    case "sendfile" -> sendfile(arguments);
                    default -> -Errno.ENOSYS.number();
                });
    }

    private int sendfile(Object[] arguments) {
        boolean macos = arguments.length == 6;
        long answer = (long) arguments[macos ? 3 : 5];
        try (MemoryBlock number = real.memory().wrap(answer, Long.BYTES, () -> { });
                MemoryBlock offset = real.memory().allocate(Long.BYTES)) {
            long count = macos ? number.buffer().getLong(0) : (long) arguments[3];
            offset.buffer().putLong(0, (long) arguments[2]);
            long sent = linux.sendfile((int) arguments[1], (int) arguments[0], offset.address(),
                    Math.min(count, taken));
            number.buffer().putLong(0, Math.max(sent, 0));
            return sent < 0 ? (int) sent : outcome;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MACOS", "FREEBSD", "OPENBSD"})
    void socketsAndPipesNeitherBlockNorAreInherited(Os os) throws IOException {
        pretend(os);
        try (SocketAcceptor acceptor = SocketAcceptor.open(LOOPBACK);
                SocketStream client = SocketConnector.connect(acceptor.localAddress(), PATIENCE);
                SocketStream server = acceptor.accept(PATIENCE);
                Pipe pipe = Pipe.open()) {
            for (Handle handle : new Handle[] {acceptor.handle(), client.handle(), server.handle(),
                    pipe.source(), pipe.sink()}) {
                int fd = (int) Descriptors.of(handle).acquire();
                Descriptors.of(handle).release();
                assertEquals(FileConstants.FD_CLOEXEC, real.posix().fcntl(fd, FileConstants.F_GETFD, 0));
                assertNotEquals(0, real.posix().fcntl(fd, FileConstants.F_GETFL, 0) & FileConstants.O_NONBLOCK);
            }
        }
    }

    /** The poll is split into pieces, because on these systems nothing interrupts it. */
    @ParameterizedTest
    @EnumSource(names = {"MACOS", "FREEBSD", "OPENBSD"})
    void closeEndsAWaitWhereShutdownDoesNot(Os os) throws Exception {
        pretend(os);
        SocketAcceptor acceptor = SocketAcceptor.open(LOOPBACK);
        int before = polls();
        FutureTask<SocketStream> wait = new FutureTask<>(() -> acceptor.accept(Duration.ofDays(1)));
        Thread waiter = new Thread(wait);
        waiter.start();
        Patience patience = new Patience();
        while (polls() < before + 3) {
            assertTrue(patience.lasts(), "it does not poll");
        }
        acceptor.close();
        ExecutionException e = assertThrows(ExecutionException.class,
                () -> wait.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        assertInstanceOf(HandleClosedException.class, e.getCause());
        waiter.join();
    }

    private int polls() {
        return (int) calls.stream().filter(call -> call.startsWith("poll[")).count();
    }

    /** On macOS, no option can be set if the peer has already closed the connection. */
    @Test
    void acceptedConnectionIsLeftWithTheOptionsItInherits() throws IOException {
        pretend(Os.MACOS);
        try (SocketAcceptor acceptor = SocketAcceptor.open(LOOPBACK);
                SocketStream client = SocketConnector.connect(acceptor.localAddress(), PATIENCE)) {
            client.send(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            calls.clear();
            acceptor.accept(PATIENCE).close();
            assertTrue(calls.stream().noneMatch(call -> call.startsWith("setsockopt")), calls::toString);
        }
    }

    @Test
    void shutdownOfAConnectionThatThePeerHasClosedIsNoError() throws IOException {
        pretend(Os.MACOS);
        try (SocketStream unconnected = SocketConnector.unconnected(LOOPBACK, null)) {
            unconnected.shutdownOutput();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FREEBSD", "OPENBSD"})
    void ipv6SocketTakesIpv4PeersWhereThatCanBeSaid(Os os) throws IOException {
        pretend(os);
        SocketDatagram.open(new InetSocketAddress(InetAddress.getByName("::1"), 0)).close();
        assertEquals(os == Os.FREEBSD, calls.stream().anyMatch(call -> call.startsWith("setsockopt")
                && call.contains(", " + SocketConstants.IPPROTO_IPV6 + ", " + SocketConstants.IPV6_V6ONLY + ",")));
    }

    @ParameterizedTest
    @EnumSource(names = {"MACOS", "FREEBSD", "OPENBSD"})
    void lengthOfATruncatedDatagramExceedsTheBuffer(Os os) throws IOException {
        pretend(os);
        try (SocketDatagram receiver = SocketDatagram.open(LOOPBACK);
                SocketDatagram sender = SocketDatagram.open(LOOPBACK)) {
            for (int length : new int[] {4, 10}) {
                assertTrue(sender.send(ByteBuffer.allocate(length), receiver.localAddress()));
                ByteBuffer four = ByteBuffer.allocate(4);
                PeerAddress peer = new PeerAddress();
                assertEquals(Math.min(length, 5), receiver.receive(four, peer));
                assertEquals(4, four.position());
                assertEquals(sender.localAddress(), peer.toSocketAddress());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MACOS", "FREEBSD"})
    void fileIsSentAsFarAsTheSocketTakesIt(Os os, @TempDir Path directory) throws IOException {
        pretend(os);
        Path path = Files.write(directory.resolve("file"), new byte[100]);
        try (SocketAcceptor acceptor = SocketAcceptor.open(LOOPBACK);
                SocketStream client = SocketConnector.connect(acceptor.localAddress(), PATIENCE);
                SocketStream server = acceptor.accept(PATIENCE);
                FileHandle file = FileHandle.open(path)) {
            assertEquals(60, client.sendFile(file, 40, 1_000));
            assertEquals(-1, client.sendFile(file, 100, 1));
            assertTrue(server.receiveFully(ByteBuffer.allocate(60), PATIENCE));
            taken = 7;
            outcome = -Errno.EAGAIN.number();
            assertEquals(7, client.sendFile(file, 0, 50));
            taken = 0;
            assertEquals(0, client.sendFile(file, 0, 50));
            outcome = -Errno.EPIPE.number();
            assertEquals("EPIPE",
                    assertThrows(SystemCallException.class, () -> client.sendFile(file, 0, 50)).errorName());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MACOS", "FREEBSD"})
    void fileThatSendfileRefusesIsCopied(Os os, @TempDir Path directory) throws IOException {
        pretend(os);
        Path path = Files.write(directory.resolve("file"), new byte[100]);
        taken = 0;
        try (SocketAcceptor acceptor = SocketAcceptor.open(LOOPBACK);
                SocketStream client = SocketConnector.connect(acceptor.localAddress(), PATIENCE);
                SocketStream server = acceptor.accept(PATIENCE);
                FileHandle file = FileHandle.open(path)) {
            for (Errno error : List.of(Errno.EINVAL, Errno.EOPNOTSUPP)) {
                outcome = -error.number();
                assertEquals(60, client.sendFile(file, 40, Long.MAX_VALUE));
                assertTrue(server.receiveFully(ByteBuffer.allocate(60), PATIENCE));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MACOS", "FREEBSD"})
    void fileIsForcedOutOfTheCacheOfTheDrive(Os os, @TempDir Path directory) throws IOException {
        pretend(os);
        try (FileHandle file = FileHandle.open(Files.write(directory.resolve("file"), new byte[1]))) {
            calls.clear();
            file.force();
            file.forceData();
            assertEquals(os == Os.MACOS ? List.of("fcntl", "fcntl") : List.of("fsync", "fdatasync"),
                    calls.stream().map(call -> call.substring(0, call.indexOf('['))).toList());
        }
    }

    /** After a failure of the disk a second call might succeed although data has been lost. */
    @Test
    void onlyWhatAFileSystemCannotDoIsReplacedByFsync(@TempDir Path directory) throws IOException {
        pretend(Os.MACOS);
        try (FileHandle file = FileHandle.open(Files.write(directory.resolve("file"), new byte[1]))) {
            for (Errno error : List.of(Errno.EOPNOTSUPP, Errno.EINVAL, Errno.ENOTTY)) {
                forced = -error.number();
                calls.clear();
                file.force();
                assertTrue(calls.stream().anyMatch(call -> call.startsWith("fsync[")), calls::toString);
            }
            for (Errno error : List.of(Errno.EIO, Errno.ENOSPC)) {
                forced = -error.number();
                calls.clear();
                assertEquals(error.name(), assertThrows(SystemCallException.class, file::force).errorName());
                assertEquals(error.name(), assertThrows(SystemCallException.class, file::forceData).errorName());
                assertTrue(calls.stream().noneMatch(call -> call.startsWith("fsync[")), calls::toString);
            }
        }
    }
}
