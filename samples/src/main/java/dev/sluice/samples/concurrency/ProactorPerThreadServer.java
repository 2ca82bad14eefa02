package dev.sluice.samples.concurrency;

import dev.sluice.connection.ProactiveAcceptor;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.ProactorGroup;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Several proactors, each with a thread; the first accepts and hands connections out in turn. */
final class ProactorPerThreadServer implements Closeable {

    private final ProactorGroup group;
    private final ProactiveAcceptor acceptor;

    ProactorPerThreadServer(SocketAcceptor socket, RequestHandler service, String demultiplexer, int count)
            throws IOException {
        try {
            this.group = new ProactorGroup(demultiplexer, count, task -> new Thread(task, "proactor"));
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
        List<Proactor> proactors = group.proactors();
        try {
            acceptor = new ProactiveAcceptor(proactors.get(0), socket, proactors, (proactor, stream) ->
                    new ProactiveSession(proactor, stream, service).open());
            acceptor.open();
        } catch (Throwable e) {
            socket.close();
            group.close();
            throw e;
        }
    }

    @Override
    public void close() {
        acceptor.close();
        group.close();
    }
}
