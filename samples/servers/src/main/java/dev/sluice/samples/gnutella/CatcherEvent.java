package dev.sluice.samples.gnutella;

import java.net.InetSocketAddress;

/** What the catcher stage takes, besides the events of the sockets that it makes. */
sealed interface CatcherEvent {

    /**
     * A peer has announced a host.
     *
     * @param address of the host
     * @param local   whether the peer is on this machine, where addresses of this machine can be used
     */
    record HostFound(InetSocketAddress address, boolean local) implements CatcherEvent {
    }

    /**
     * A connection that the catcher has made is over.
     *
     * @param candidate whom it was to
     * @param ending    how it was
     */
    record ConnectionLost(Candidate candidate, Ending ending) implements CatcherEvent {
    }

    /** How a connection that the catcher has made has ended. */
    enum Ending {
        /** It was a neighbour for a while. */
        AFTER_GREETING,
        /** One side did not want to. */
        REFUSED,
        /** It was closed without an answer, as those do who do not know the version. */
        WITHOUT_ANSWER
    }
}
