package dev.sluice.samples.concurrency;

import dev.sluice.connection.Acceptor;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.conversation.ConnectionThreads;
import dev.sluice.samples.server.Connections;
import dev.sluice.samples.server.EventLoopThread;
import java.io.Closeable;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A reactor that accepts, and threads that go on with the connections. */
final class AcceptingServer implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(AcceptingServer.class);

    private final EventLoopThread<Reactor> acceptor;
    private final ConnectionThreads threads;

    AcceptingServer(SocketAcceptor socket, RequestHandler service, String demultiplexer, ConnectionThreads threads)
            throws IOException {
        this.threads = threads;
        try {
            this.acceptor = new EventLoopThread<>("acceptor", Reactor.open(demultiplexer),
                    e -> LOG.error("the acceptor has failed", e));
        } catch (Throwable e) {
            socket.close();
            threads.close();
            throw e;
        }
        try {
            Connections connections = new Connections();
            new Acceptor(acceptor.loop(), socket, () -> threads.handler(
                    stream -> new FramedConversation(stream, service), connections)).open();
        } catch (Throwable e) {
            socket.close();
            close();
            throw e;
        }
        acceptor.start();
    }

    @Override
    public void close() {
        acceptor.close();
        threads.close();
    }
}
