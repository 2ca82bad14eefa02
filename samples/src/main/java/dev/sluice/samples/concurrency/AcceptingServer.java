package dev.sluice.samples.concurrency;

import dev.sluice.handle.SocketAcceptor;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.conversation.ConnectionThreads;
import dev.sluice.samples.server.Connections;
import dev.sluice.samples.server.EventLoopThread;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reactors, the first of which accepts, and threads that go on with the connections, perhaps the reactors' own. */
final class AcceptingServer implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(AcceptingServer.class);

    private final List<EventLoopThread<Reactor>> reactors = new ArrayList<>();
    private final ConnectionThreads threads;

    /**
     * Begins to accept.
     *
     * @param count   how many reactors
     * @param threads closed with this
     */
    AcceptingServer(SocketAcceptor socket, RequestHandler service, String demultiplexer, int count,
            ConnectionThreads threads) throws IOException {
        this.threads = threads;
        try {
            for (int i = 0; i < count; i++) {
                reactors.add(new EventLoopThread<>("reactor-" + i, Reactor.open(demultiplexer),
                        e -> LOG.error("a reactor has failed", e)));
            }
            Connections connections = new Connections();
            threads.accept(socket, reactors.stream().map(EventLoopThread::loop).toList(),
                    (stream, reactor) -> new FramedConversation(stream, service), reactor -> connections);
        } catch (Throwable e) {
            socket.close();
            close();
            throw e;
        }
        reactors.forEach(EventLoopThread::start);
    }

    @Override
    public void close() {
        reactors.forEach(EventLoopThread::close);
        threads.close();
    }
}
