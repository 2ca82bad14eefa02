package dev.sluice.samples.concurrency;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.EventLoopThread;
import dev.sluice.samples.server.VirtualThreads;
import java.io.Closeable;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A reactor accepts, and on virtual threads also waits for them; each connection has a thread of its own. */
final class ThreadPerConnectionServer implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(ThreadPerConnectionServer.class);

    /** Makes what a thread waits with. */
    private interface Waiting {
        BlockingTransfer on(Reactor reactor, SocketStream stream) throws IOException;
    }

    private final RequestHandler service;
    private final ExecutorService threads;
    private final Waiting waiting;
    private final EventLoopThread<Reactor> acceptor;
    private final Set<SocketStream> streams = ConcurrentHashMap.newKeySet();

    private ThreadPerConnectionServer(SocketAcceptor socket, RequestHandler service, String demultiplexer,
                                      ExecutorService threads, Waiting waiting) throws IOException {
        this.service = service;
        this.threads = threads;
        this.waiting = waiting;
        try {
            this.acceptor = new EventLoopThread<>("acceptor", Reactor.open(demultiplexer),
                    e -> LOG.error("the acceptor has failed", e));
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
        try {
            acceptor.loop().registerHandler(new SessionAcceptor(socket, this::open), EventType.ACCEPT);
        } catch (Throwable e) {
            socket.close();
            close();
            throw e;
        }
        acceptor.start();
    }

    static Closeable ofPlatformThreads(SocketAcceptor acceptor, RequestHandler service, String demultiplexer)
            throws IOException {
        return new ThreadPerConnectionServer(acceptor, service, demultiplexer, Executors.newCachedThreadPool(),
                (reactor, stream) -> new KernelTransfer(stream));
    }

    static Closeable ofVirtualThreads(SocketAcceptor acceptor, RequestHandler service, String demultiplexer)
            throws IOException {
        return new ThreadPerConnectionServer(acceptor, service, demultiplexer, VirtualThreads.newExecutor(),
                ParkedTransfer::new);
    }

    private void open(SocketStream stream) throws IOException {
        BlockingSession session = new BlockingSession(waiting.on(acceptor.loop(), stream), service);
        streams.add(stream);
        threads.execute(() -> {
            try {
                session.run();
            } finally {
                streams.remove(stream);
            }
        });
    }

    @Override
    public void close() {
        acceptor.close();
        streams.forEach(SocketStream::close);
        ExecutorEnd.await(threads);
    }
}
