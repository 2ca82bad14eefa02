package dev.sluice.handle;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** The ways to connect two streams. */
enum Transport {

    TCP4 {
        @Override
        SocketAcceptor open(Path directory) throws IOException {
            return SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0));
        }
    },
    TCP6 {
        @Override
        SocketAcceptor open(Path directory) throws IOException {
            return SocketAcceptor.open(new InetSocketAddress("::1", 0));
        }
    },
    /** An IPv6 acceptor with an IPv4 peer. */
    DUAL_STACK {
        @Override
        SocketAcceptor open(Path directory) throws IOException {
            SocketAcceptor acceptor = SocketAcceptor.unbound(StandardProtocolFamily.INET6);
            try {
                acceptor.setOption(NativeSocketOptions.IPV6_V6ONLY, false);
                return acceptor.bind(new InetSocketAddress("::", 0), SocketAcceptor.DEFAULT_BACKLOG);
            } catch (IOException e) {
                acceptor.close();
                throw e;
            }
        }

        @Override
        SocketAddress addressOf(SocketAcceptor acceptor) throws IOException {
            return new InetSocketAddress("127.0.0.1", ((InetSocketAddress) acceptor.localAddress()).getPort());
        }
    },
    UNIX {
        @Override
        SocketAcceptor open(Path directory) throws IOException {
            return SocketAcceptor.open(freshPath(directory));
        }
    };

    abstract SocketAcceptor open(Path directory) throws IOException;

    SocketAddress addressOf(SocketAcceptor acceptor) throws IOException {
        return acceptor.localAddress();
    }

    boolean isTcp() {
        return this != UNIX;
    }

    SocketAcceptor acceptor(Path directory) throws IOException {
        try {
            return open(directory);
        } catch (SystemCallException e) {
            if (this == TCP4 || !e.errorName().equals("EAFNOSUPPORT") && !e.errorName().equals("EADDRNOTAVAIL")) {
                throw e;
            }
            return abort(this == UNIX ? "not every Windows has Unix domain sockets"
                    : "no IPv6 here: " + e.getMessage());
        }
    }

    StreamPair connect(Path directory) throws IOException {
        try (SocketAcceptor acceptor = acceptor(directory)) {
            return connect(acceptor);
        }
    }

    StreamPair connect(SocketAcceptor acceptor) throws IOException {
        SocketStream client = SocketConnector.connect(addressOf(acceptor), Patience.LIMIT);
        try {
            return new StreamPair(client, acceptor.accept(Patience.LIMIT));
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }

    static UnixDomainSocketAddress freshPath(Path directory) {
        int number = 0;
        while (Files.exists(directory.resolve("socket" + number))) {
            number++;
        }
        return UnixDomainSocketAddress.of(directory.resolve("socket" + number));
    }
}
