package dev.sluice.samples.gnutella;

import java.net.InetSocketAddress;

/** An event of the catcher stage, in addition to those of its sockets. */
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
     * A connection made by the catcher has ended.
     *
     * @param candidate the host
     * @param ending    how it was
     */
    record ConnectionLost(Candidate candidate, Ending ending) implements CatcherEvent {
    }

    /** How a connection that the catcher has made has ended. */
    enum Ending {
        /** It was a neighbour for a while. */
        AFTER_GREETING,
        /** One side has refused. */
        REFUSED,
        /** It was closed without an answer, as by hosts that do not know the version. */
        WITHOUT_ANSWER
    }
}
