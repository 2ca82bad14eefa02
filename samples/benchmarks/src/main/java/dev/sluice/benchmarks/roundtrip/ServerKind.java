package dev.sluice.benchmarks.roundtrip;

import java.io.IOException;
import java.net.SocketAddress;

/** The echo servers. */
public enum ServerKind {

    /** Sluice's streams, blocking. */
    SOCKET_STREAM,
    /** Channels of java.nio, blocking. */
    SOCKET_CHANNEL,
    /** Sluice's Reactor. */
    REACTOR,
    /** The Selector of java.nio. */
    SELECTOR,
    /** Sluice's Proactor. */
    PROACTOR,
    /** The asynchronous channels of java.nio. */
    ASYNCHRONOUS_CHANNEL;

    /**
     * Opens one.
     *
     * @param transport     how messages travel
     * @param address       the address
     * @param size          of the messages in bytes
     * @param demultiplexer for a Reactor or Proactor
     * @return the server, which listens, but does not serve yet
     * @throws IOException if the system refuses
     */
    EchoServer open(Transport transport, SocketAddress address, int size, String demultiplexer) throws IOException {
        boolean datagrams = transport == Transport.UDP;
        return switch (this) {
            case SOCKET_STREAM -> new BlockingStreamServer(address, size);
            case SOCKET_CHANNEL -> new BlockingChannelServer(address, size);
            case REACTOR -> datagrams
                    ? new ReactorDatagramServer(address, demultiplexer)
                    : new ReactorServer(address, demultiplexer);
            case SELECTOR -> datagrams ? new SelectorDatagramServer(address) : new SelectorServer(address);
            case PROACTOR -> new ProactorServer(address, demultiplexer);
            case ASYNCHRONOUS_CHANNEL -> new AsynchronousChannelServer(address);
        };
    }
}
