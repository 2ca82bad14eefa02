package dev.sluice.samples.concurrency;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.EventLoopThread;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One or more reactors, each with a thread; the first accepts and hands connections out in turn. */
final class ReactorServer implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(ReactorServer.class);

    private final RequestHandler service;
    private final List<EventLoopThread<Reactor>> threads = new ArrayList<>();
    private int next;

    ReactorServer(SocketAcceptor acceptor, RequestHandler service, String demultiplexer, int count)
            throws IOException {
        this.service = service;
        try {
            for (int i = 0; i < count; i++) {
                threads.add(new EventLoopThread<>("reactor-" + i, Reactor.open(demultiplexer),
                        e -> LOG.error("a reactor has failed", e)));
            }
            threads.get(0).loop().registerHandler(new SessionAcceptor(acceptor, this::open), EventType.ACCEPT);
        } catch (Throwable e) {
            acceptor.close();
            close();
            throw e;
        }
        threads.forEach(EventLoopThread::start);
    }

    private void open(SocketStream stream) throws IOException {
        HandleControl control = HandleControl.of(threads.get(next).loop());
        next = (next + 1) % threads.size();
        control.register(new ReactiveSession(stream, service, control));
    }

    @Override
    public void close() {
        threads.forEach(EventLoopThread::close);
    }
}
