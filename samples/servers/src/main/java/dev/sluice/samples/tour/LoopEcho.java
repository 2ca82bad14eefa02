package dev.sluice.samples.tour;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Reactor;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An echo on a Reactor or a Proactor, on a thread of its own. */
final class LoopEcho implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(LoopEcho.class);

    private final EventLoop loop;
    private final SocketAddress address;

    private LoopEcho(EventLoop loop, SocketAddress address) {
        this.loop = loop;
        this.address = address;
        Thread thread = new Thread(this::run, "tour-" + loop);
        thread.setDaemon(true);
        thread.start();
    }

    static LoopEcho reactor(String demultiplexer) throws IOException {
        Reactor reactor = Reactor.open(demultiplexer);
        try {
            return new LoopEcho(reactor, Acceptor.listen(reactor, anyPort(), Echo::new).localAddress());
        } catch (Throwable e) {
            reactor.close();
            throw e;
        }
    }

    static LoopEcho proactor(String demultiplexer) throws IOException {
        Proactor proactor = Proactor.open(demultiplexer);
        try {
            return new LoopEcho(proactor,
                    AsyncAcceptor.listen(proactor, anyPort(), () -> AsyncStream::send).localAddress());
        } catch (Throwable e) {
            proactor.close();
            throw e;
        }
    }

    /** {@return where a server of the tour listens: any free port of the loopback device} */
    static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static final class Echo extends ServiceHandler {

        @Override
        protected void received(ByteBuffer bytes) {
            output().send(bytes);
        }
    }

    SocketAddress address() {
        return address;
    }

    private void run() {
        try (loop) {
            loop.run();
        } catch (IOException e) {
            LOG.warn("{} has failed", loop, e);
        }
    }

    @Override
    public void close() {
        loop.stop();
    }
}
