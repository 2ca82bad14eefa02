package dev.sluice.samples.concurrency;

import dev.sluice.connection.ProactiveAcceptor;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.proactor.Proactor;
import dev.sluice.samples.server.EventLoopThread;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One proactor that several threads run: any of them serves any connection. */
final class ConcurrentProactorServer implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(ConcurrentProactorServer.class);

    private final List<EventLoopThread<Proactor>> threads = new ArrayList<>();

    ConcurrentProactorServer(SocketAcceptor socket, RequestHandler service, String demultiplexer, int count)
            throws IOException {
        try {
            Proactor proactor = Proactor.open(demultiplexer);
            for (int i = 0; i < count; i++) {
                threads.add(new EventLoopThread<>("proactor-" + i, proactor,
                        e -> LOG.error("a thread of {} has failed", proactor, e)));
            }
            new ProactiveAcceptor(proactor, socket, List.of(proactor), (shared, stream) ->
                    new ProactiveSession(shared, stream, service).open()).open();
        } catch (Throwable e) {
            socket.close();
            close();
            throw e;
        }
        threads.forEach(EventLoopThread::start);
    }

    @Override
    public void close() {
        threads.forEach(EventLoopThread::close);
    }
}
