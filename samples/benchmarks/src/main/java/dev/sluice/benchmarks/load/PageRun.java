package dev.sluice.benchmarks.load;

import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.FileProblem;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** What the clients of a run that ask a web server for pages have in common. For the thread of the reactor. */
abstract class PageRun {

    private final InetSocketAddress server;
    private final SourceAddresses sources = new SourceAddresses();
    private final ClientsTally tally;
    private final Pattern pattern;
    private final ByteBuffer buffer;
    private Reactor reactor;
    private Throwable failure;

    /**
     * Creates a run.
     *
     * @param port    of the server, on 127.0.0.1
     * @param tally   counts
     * @param receive the most to receive at a time, in bytes
     */
    PageRun(int port, ClientsTally tally, int receive) {
        this.server = new InetSocketAddress("127.0.0.1", port);
        this.tally = tally;
        this.pattern = new Pattern(receive);
        this.buffer = ByteBuffer.allocateDirect(receive);
    }

    /** Sets where the clients wait. Before the first one. */
    final void waitIn(Reactor opened) {
        reactor = opened;
    }

    final Reactor reactor() {
        return reactor;
    }

    final InetSocketAddress server() {
        return server;
    }

    final InetSocketAddress source() {
        return sources.next();
    }

    final ClientsTally tally() {
        return tally;
    }

    final Pattern pattern() {
        return pattern;
    }

    /** {@return where all clients receive: nothing stays in it from one hook to the next} */
    final ByteBuffer buffer() {
        return buffer;
    }

    /** This machine cannot do it, or the server has done something wrong. */
    final void failed(Throwable cause) {
        failure = cause;
    }

    void requireNoFailure() throws IOException {
        if (failure != null) {
            throw new IOException(FileProblem.describe(failure), failure);
        }
    }
}
