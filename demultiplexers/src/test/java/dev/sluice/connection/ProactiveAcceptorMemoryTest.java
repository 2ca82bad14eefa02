package dev.sluice.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Intercepted;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.ProactorContract;
import dev.sluice.proactor.Proactors;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** There is no memory to accept with, nor to schedule the end of a pause: waiting connections are still served. */
@EnabledOnOs(OS.LINUX)
@RunsOn(not = "io_uring")
class ProactiveAcceptorMemoryTest extends ProactorContract {

    private static final String ACCEPT = "accept4";

    private final List<SocketStream> services = new ArrayList<>();
    private final AtomicInteger refusedOperations = new AtomicInteger();

    /** A proactor that has no memory for a new operation while there are any to be refused. */
    private Proactor openPoorProactor() throws IOException {
        AsynchronousEventDemultiplexer real = OpenedDemultiplexers.openAsynchronous(demultiplexer);
        return own(Proactors.on(Intercepted.before(AsynchronousEventDemultiplexer.class, real, "newOperation", () -> {
            if (refusedOperations.getAndDecrement() > 0) {
                throw new OutOfMemoryError("thrown by the test");
            }
        }), TimerQueue.heap()));
    }

    @Test
    void connectionsAreAcceptedWhenThereIsMemoryAgain() throws Exception {
        FaultInjection faults = own(FaultInjection.install());
        SocketAcceptor socket = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        Proactor poor = openPoorProactor();
        new ProactiveAcceptor(poor, socket, (target, stream) -> services.add(own(stream))).open();
        for (int served = 1; served <= 3; served++) {
            refusedOperations.set(1);
            faults.throwNth(ACCEPT, 1, new OutOfMemoryError("thrown by the test"));
            own(SocketConnector.connect(socket.localAddress(), LIMIT));
            long end = System.nanoTime() + LIMIT.toNanos();
            while (services.size() < served) {
                assertTrue(System.nanoTime() - end < 0 && socket.handle().isOpen(), "the connection is not served");
                poor.runOnce(LIMIT);
            }
            assertEquals(0, refusedOperations.getAndSet(0), "the pause was tried");
        }
    }
}
