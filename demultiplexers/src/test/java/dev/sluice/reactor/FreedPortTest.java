package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.SocketAcceptor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When the port of a registered handle is free again after another thread has closed the handle. */
@Tag(CalledSystem.NOT_WINDOWS)
class FreedPortTest extends ReactorContract {

    private SocketAcceptor listening() throws IOException {
        SocketAcceptor acceptor = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        recorder("listening", acceptor.handle()).register(reactor, Interest.READ);
        return acceptor;
    }

    private static boolean isFree(SocketAddress address) {
        try {
            SocketAcceptor.open(address).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Where each wait is given the whole set, the close has to end the wait first. */
    @Test
    void withoutAnyEventWhileTheLoopWaits() throws Exception {
        SocketAcceptor acceptor = listening();
        SocketAddress address = acceptor.localAddress();
        runInBackground();
        assertFalse(isFree(address));
        acceptor.close();
        if (demultiplexer.startsWith("epoll")) {
            assertTrue(isFree(address), "the close has taken it out of the kernel's set");
        }
        OtherThread.await(() -> isFree(address));
    }

    @Test
    void atOnceWhileNoThreadRunsTheLoop() throws Exception {
        SocketAcceptor acceptor = listening();
        SocketAddress address = acceptor.localAddress();
        reactor.runOnce(Duration.ZERO);
        assertFalse(isFree(address));
        OtherThread.run(acceptor::close);
        assertTrue(isFree(address));
    }
}
