package dev.sluice.samples.concurrency;

import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.samples.conversation.HalfSyncHalfAsync;
import dev.sluice.samples.conversation.ReactorPerThread;
import dev.sluice.samples.conversation.ThreadPerConnection;
import dev.sluice.samples.server.VirtualThreads;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** How threads share the work of a server. */
public enum ConcurrencyModel {
    /** One thread does everything. */
    REACTOR(Mode.SYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, Arrangement parts)
                throws IOException {
            return new AcceptingServer(acceptor, service, parts.demultiplexer(), 1, new ReactorPerThread(1));
        }
    },
    /** Each thread does everything for the connections that are its own. */
    REACTOR_PER_THREAD(Mode.SYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, Arrangement parts)
                throws IOException {
            return new AcceptingServer(acceptor, service, parts.demultiplexer(), parts.threads(),
                    new ReactorPerThread(parts.threads()));
        }
    },
    /** Threads take turns waiting, or wait all at once on a concurrent handle set. */
    LEADER_FOLLOWERS(Mode.SYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, Arrangement parts)
                throws IOException {
            return LeaderFollowersServer.onOneHandleSet(acceptor, service, parts);
        }

        @Override
        public List<PoolDesign> pools(DemultiplexerFactory demultiplexer) {
            return PoolDesign.on(demultiplexer);
        }
    },
    /** Each handle set has threads that take turns waiting on it, and on no other (section 10.2 of the paper). */
    LEADER_FOLLOWERS_PER_HANDLE_SET(Mode.SYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, Arrangement parts)
                throws IOException {
            return LeaderFollowersServer.withAPoolForEachHandleSet(acceptor, service, parts);
        }

        @Override
        public List<PoolDesign> pools(DemultiplexerFactory demultiplexer) {
            return PoolDesign.on(demultiplexer);
        }

        @Override
        public boolean hasSeveralHandleSets() {
            return true;
        }
    },
    /** Each handle set has a leader, and all threads take turns at that (section 10.2 of the paper). */
    MULTIPLE_LEADERS(Mode.SYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, Arrangement parts)
                throws IOException {
            return LeaderFollowersServer.withMultipleLeaders(acceptor, service, parts);
        }

        @Override
        public List<PoolDesign> pools(DemultiplexerFactory demultiplexer) {
            return PoolDesign.withLeaders();
        }

        @Override
        public boolean hasSeveralHandleSets() {
            return true;
        }
    },
    /** One thread receives, the others serve what it has put into a bounded queue. */
    HALF_SYNC_HALF_ASYNC(Mode.SYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, Arrangement parts)
                throws IOException {
            return new AcceptingServer(acceptor, service, parts.demultiplexer(), 1,
                    new HalfSyncHalfAsync(parts.threads()));
        }
    },
    /** Each connection has a thread, whatever their number. */
    THREAD_PER_CONNECTION(Mode.SYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, Arrangement parts)
                throws IOException {
            return new AcceptingServer(acceptor, service, parts.demultiplexer(), 1,
                    ThreadPerConnection.ofPlatformThreads());
        }
    },
    /** Each connection has a virtual thread. */
    VIRTUAL_THREAD_PER_CONNECTION(Mode.SYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, Arrangement parts)
                throws IOException {
            return new AcceptingServer(acceptor, service, parts.demultiplexer(), 1,
                    ThreadPerConnection.ofVirtualThreads());
        }

        @Override
        public boolean isAvailable() {
            return VirtualThreads.unavailable() == null;
        }
    },
    /** Each thread runs a proactor for the connections that are its own. */
    PROACTOR_PER_THREAD(Mode.ASYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, Arrangement parts)
                throws IOException {
            return new ProactiveServer(acceptor, service, parts.demultiplexer(), parts.threads(), 1);
        }
    },
    /** Threads run one proactor, and each dispatches whatever has completed. */
    CONCURRENT_PROACTOR(Mode.ASYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, Arrangement parts)
                throws IOException {
            return new ProactiveServer(acceptor, service, parts.demultiplexer(), 1, parts.threads());
        }

        @Override
        public boolean worksOn(DemultiplexerFactory demultiplexer) {
            return super.worksOn(demultiplexer) && demultiplexer.handleSetKind() == HandleSetKind.CONCURRENT;
        }
    };

    private final Mode mode;

    ConcurrencyModel(Mode mode) {
        this.mode = mode;
    }

    /** {@return the name on command lines, such as {@code leader-followers}} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * {@return whether it can do with a demultiplexer}
     *
     * @param demultiplexer which
     */
    public boolean worksOn(DemultiplexerFactory demultiplexer) {
        return demultiplexer.mode() == mode;
    }

    /** {@return whether this JDK has what it needs} */
    public boolean isAvailable() {
        return true;
    }

    /**
     * {@return the pools of threads that it can have, one of which is to be chosen}
     *
     * @param demultiplexer one that it works on
     */
    public List<PoolDesign> pools(DemultiplexerFactory demultiplexer) {
        return List.of(PoolDesign.NONE);
    }

    /** {@return whether one chooses how many handle sets there are: two or more, and no more than threads} */
    public boolean hasSeveralHandleSets() {
        return false;
    }

    /**
     * Starts a server.
     *
     * @param acceptor where connections come in; owned by the server from now on
     * @param service  what it does
     * @param parts    what it consists of
     * @return the server, whose close cuts its connections and waits for its threads
     * @throws IOException if the demultiplexer cannot be opened or does not take the acceptor
     */
    public abstract Closeable open(SocketAcceptor acceptor, RequestHandler service, Arrangement parts)
            throws IOException;
}
