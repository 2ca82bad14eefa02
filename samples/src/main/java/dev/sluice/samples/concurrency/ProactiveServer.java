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

/** One or more proactors with their threads; the first accepts and hands connections out in turn. */
final class ProactiveServer implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(ProactiveServer.class);

    private final List<EventLoopThread<Proactor>> threads = new ArrayList<>();

    /**
     * Begins to accept.
     *
     * @param count  how many proactors
     * @param shared how many threads run each
     */
    ProactiveServer(SocketAcceptor socket, RequestHandler service, String demultiplexer, int count, int shared)
            throws IOException {
        List<Proactor> proactors = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                Proactor proactor = Proactor.open(demultiplexer);
                proactors.add(proactor);
                for (int j = 0; j < shared; j++) {
                    threads.add(new EventLoopThread<>("proactor-" + threads.size(), proactor,
                            e -> LOG.error("a thread of {} has failed", proactor, e)));
                }
            }
            new ProactiveAcceptor(proactors.get(0), socket, proactors, (proactor, stream) ->
                    new ProactiveSession(proactor, stream, service).open()).open();
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
