package dev.sluice.calls;

import static dev.sluice.calls.layout.SocketConstants.AF_INET;
import static dev.sluice.calls.layout.SocketConstants.AF_INET6;
import static dev.sluice.calls.layout.SocketConstants.AF_UNIX;
import static dev.sluice.calls.layout.SocketConstants.MSG_NOSIGNAL;
import static dev.sluice.calls.layout.SocketConstants.SHUT_RD;
import static dev.sluice.calls.layout.SocketConstants.SHUT_RDWR;
import static dev.sluice.calls.layout.SocketConstants.SHUT_WR;
import static dev.sluice.calls.layout.SocketConstants.SOCK_CLOEXEC;
import static dev.sluice.calls.layout.SocketConstants.SOCK_DGRAM;
import static dev.sluice.calls.layout.SocketConstants.SOCK_NONBLOCK;
import static dev.sluice.calls.layout.SocketConstants.SOCK_STREAM;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections over TCP and Unix domain sockets. */
public abstract class StreamSocketContract extends BindingContract {

    @TempDir
    Path directory;

    protected StreamSocketContract(Binding binding) {
        super(binding);
    }

    @Test
    void tcp4CarriesBytesBothWays() {
        converse(Address.inet4(block(Address.SIZE), 0));
    }

    @Test
    void tcp6CarriesBytesBothWays() {
        int socket = posix.socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
        assumeTrue(!Errno.EAFNOSUPPORT.is(socket), "no IPv6 here");
        Address loopback = Address.inet6(block(Address.SIZE), 0);
        int bound = posix.bind(own(socket), loopback.address(), loopback.length());
        assumeTrue(!Errno.EADDRNOTAVAIL.is(bound), "no IPv6 loopback address here");
        converse(loopback);
    }

    @Test
    void unixCarriesBytesBothWays() {
        converse(Address.unix(block(Address.SIZE), directory.resolve("socket").toString()));
    }

    private void converse(Address address) {
        int server = listener(address);
        Address bound = localAddress(server);
        int client = own(posix.socket(bound.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
        ok(posix.connect(client, bound.address(), bound.length()));
        Address peer = unknownAddress();
        int accepted = own(posix.accept(server, peer.address(), peer.lengthAddress()));
        assertArrayEquals(localAddress(client).bytes(), peer.bytes(), "accept's address is the client's");
        Address remote = unknownAddress();
        ok(posix.getpeername(client, remote.address(), remote.lengthAddress()));
        assertArrayEquals(bound.bytes(), remote.bytes(), "the client's peer is the server");

        assertCarries("there", client, accepted);
        assertCarries("and back", accepted, client);
        ok(posix.shutdown(client, SHUT_WR));
        assertEquals(0, posix.recv(accepted, block(1).address(), 1, 0), "end of stream");
        assertCarries("after the end of the other direction", accepted, client);
    }

    private void assertCarries(String text, int from, int to) {
        MemoryBlock in = block(100);
        assertEquals(text.length(), posix.send(from, text(text).address(), text.length(), MSG_NOSIGNAL));
        assertEquals(text.length(), posix.recv(to, in.address(), 100, 0));
        assertEquals(text, text(in, 0, text.length()));
        assertEquals(0, in.buffer().get(text.length()), "behind the text");
    }

    private int listener(Address address) {
        int server = own(posix.socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
        ok(posix.bind(server, address.address(), address.length()));
        ok(posix.listen(server, 8));
        return server;
    }

    @Test
    void acceptNeedsNoAddress() {
        Address bound = localAddress(listener(Address.inet4(block(Address.SIZE), 0)));
        int server = listener(Address.unix(block(Address.SIZE), directory.resolve("s").toString()));
        Address path = localAddress(server);
        int client = own(posix.socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        ok(posix.connect(client, path.address(), path.length()));
        own(posix.accept(server, 0, 0));
        assertEquals(AF_INET, bound.family());
    }

    @Test
    void readAndWriteServeSocketsToo() {
        int[] ends = socketPair(SOCK_STREAM);
        MemoryBlock in = block(8);
        assertEquals(4, posix.write(ends[0], text("four").address(), 4));
        assertEquals(4, posix.read(ends[1], in.address(), 8));
        assertEquals("four", text(in, 0, 4));
    }

    @Test
    void connectIsRefusedWithoutAListener() {
        int unconnectable = own(posix.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        Address loopback = Address.inet4(block(Address.SIZE), 0);
        ok(posix.bind(unconnectable, loopback.address(), loopback.length()));
        Address bound = localAddress(unconnectable);
        int client = own(posix.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        assertFails(Errno.ECONNREFUSED, posix.connect(client, bound.address(), bound.length()));
    }

    @Test
    void connectFindsNoPath() {
        int client = own(posix.socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        Address missing = Address.unix(block(Address.SIZE), directory.resolve("missing").toString());
        assertFails(Errno.ENOENT, posix.connect(client, missing.address(), missing.length()));
    }

    @Test
    void bindRefusesAnAddressInUse() throws Exception {
        Address bound = localAddress(listener(Address.inet4(block(Address.SIZE), 0)));
        int second = own(posix.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        assertFails(Errno.EADDRINUSE, posix.bind(second, bound.address(), bound.length()));

        Path taken = Files.createFile(directory.resolve("taken"));
        Address path = Address.unix(block(Address.SIZE), taken.toString());
        int third = own(posix.socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        assertFails(Errno.EADDRINUSE, posix.bind(third, path.address(), path.length()));
    }

    @Test
    void nonBlockingCallsSayAgain() {
        int server = own(posix.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        Address loopback = Address.inet4(block(Address.SIZE), 0);
        ok(posix.bind(server, loopback.address(), loopback.length()));
        ok(posix.listen(server, 1));
        assertFails(Errno.EAGAIN, posix.accept(server, 0, 0));

        int[] ends = socketPair(SOCK_STREAM | SOCK_NONBLOCK);
        MemoryBlock bytes = block(1 << 16);
        assertFails(Errno.EAGAIN, posix.recv(ends[0], bytes.address(), 1, 0));
        long sent;
        do {
            sent = posix.send(ends[0], bytes.address(), 1 << 16, MSG_NOSIGNAL);
        } while (sent > 0);
        assertFails(Errno.EAGAIN, sent);
    }

    @Test
    void sendToAClosedPeerBreaksThePipe() {
        int[] ends = socketPair(SOCK_STREAM);
        close(ends[1]);
        assertFails(Errno.EPIPE, posix.send(ends[0], block(1).address(), 1, MSG_NOSIGNAL));
    }

    @Test
    void shutdownEndsEitherDirection() {
        int[] ends = socketPair(SOCK_STREAM);
        ok(posix.shutdown(ends[0], SHUT_RD));
        assertFails(Errno.EPIPE, posix.send(ends[1], block(1).address(), 1, MSG_NOSIGNAL));
        ok(posix.shutdown(ends[0], SHUT_RDWR));
        assertFails(Errno.EPIPE, posix.send(ends[0], block(1).address(), 1, MSG_NOSIGNAL));
        assertFails(Errno.EINVAL, posix.shutdown(ends[0], 99));
    }

    @Test
    void callsNeedASocketOfTheRightKind() {
        int pipe = pipe()[0];
        assertFails(Errno.ENOTSOCK, posix.listen(pipe, 1));
        assertFails(Errno.ENOTSOCK, posix.recv(pipe, block(1).address(), 1, 0));
        int datagram = own(posix.socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
        assertFails(Errno.EOPNOTSUPP, posix.listen(datagram, 1));
        assertFails(Errno.EAFNOSUPPORT, posix.socket(-1, SOCK_STREAM, 0));
        assertFails(Errno.EOPNOTSUPP, posix.socketpair(AF_INET, SOCK_STREAM, 0, block(8).address()));
    }

    @Test
    void unconnectedSocketsHaveNoPeer() {
        int socket = own(posix.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        Address peer = unknownAddress();
        assertFails(Errno.ENOTCONN, posix.getpeername(socket, peer.address(), peer.lengthAddress()));
        assertFails(Errno.ENOTCONN, posix.shutdown(socket, SHUT_WR));
    }

    @Test
    void getsocknameNeedsAnAddress() {
        int socket = own(posix.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        assertFails(Errno.EFAULT, posix.getsockname(socket, 0, 0));
    }
}
