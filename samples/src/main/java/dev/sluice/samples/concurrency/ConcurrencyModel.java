package dev.sluice.samples.concurrency;

import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.samples.conversation.HalfSyncHalfAsync;
import dev.sluice.samples.conversation.ThreadPerConnection;
import dev.sluice.samples.server.VirtualThreads;
import java.io.Closeable;
import java.io.IOException;
import java.util.Locale;

/** How threads share the work of a server. */
public enum ConcurrencyModel {
    /** One thread does everything. */
    REACTOR(Mode.SYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, String demultiplexer, int threads)
                throws IOException {
            return new ReactorServer(acceptor, service, demultiplexer, 1);
        }
    },
    /** Each thread does everything for the connections that are its own. */
    REACTOR_PER_THREAD(Mode.SYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, String demultiplexer, int threads)
                throws IOException {
            return new ReactorServer(acceptor, service, demultiplexer, threads);
        }
    },
    /** Threads take turns waiting, or wait all at once on a concurrent handle set. */
    LEADER_FOLLOWERS(Mode.SYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, String demultiplexer, int threads)
                throws IOException {
            return new LeaderFollowersServer(acceptor, service, demultiplexer, threads);
        }
    },
    /** One thread receives, the others serve what it has put into a bounded queue. */
    HALF_SYNC_HALF_ASYNC(Mode.SYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, String demultiplexer, int threads)
                throws IOException {
            return new AcceptingServer(acceptor, service, demultiplexer, new HalfSyncHalfAsync(threads));
        }
    },
    /** Each connection has a thread, whatever their number. */
    THREAD_PER_CONNECTION(Mode.SYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, String demultiplexer, int threads)
                throws IOException {
            return new AcceptingServer(acceptor, service, demultiplexer, ThreadPerConnection.ofPlatformThreads());
        }
    },
    /** Each connection has a virtual thread. */
    VIRTUAL_THREAD_PER_CONNECTION(Mode.SYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, String demultiplexer, int threads)
                throws IOException {
            return new AcceptingServer(acceptor, service, demultiplexer, ThreadPerConnection.ofVirtualThreads());
        }

        @Override
        public boolean isAvailable() {
            return VirtualThreads.unavailable() == null;
        }
    },
    /** Each thread runs a proactor for the connections that are its own. */
    PROACTOR_PER_THREAD(Mode.ASYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, String demultiplexer, int threads)
                throws IOException {
            return new ProactorPerThreadServer(acceptor, service, demultiplexer, threads);
        }
    },
    /** Threads run one proactor, and each dispatches whatever has completed. */
    CONCURRENT_PROACTOR(Mode.ASYNCHRONOUS) {
        @Override
        public Closeable open(SocketAcceptor acceptor, RequestHandler service, String demultiplexer, int threads)
                throws IOException {
            return new ConcurrentProactorServer(acceptor, service, demultiplexer, threads);
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
     * Starts a server.
     *
     * @param acceptor      where connections come in; owned by the server from now on
     * @param service       what it does
     * @param demultiplexer the name of one that it works on
     * @param threads       how many, where the model lets one choose
     * @return the server, whose close cuts its connections and waits for its threads
     * @throws IOException if the demultiplexer cannot be opened or does not take the acceptor
     */
    public abstract Closeable open(SocketAcceptor acceptor, RequestHandler service, String demultiplexer, int threads)
            throws IOException;
}
