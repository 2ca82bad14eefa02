package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.connection.ListenOptions;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.ForgetfulTimers;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** There is no memory to accept with, nor to schedule the end of a pause: waiting connections are still served. */
@EnabledOnOs(OS.LINUX)
@RunsOn(not = {"io_uring", "io_uring-multi-threaded"})
class AsyncAcceptorMemoryTest extends ProactorContract {

    private static final String ACCEPT = "accept4";

    private final List<SocketStream> services = new ArrayList<>();

    @Test
    void connectionsAreAcceptedWhenThereIsMemoryAgain() throws Exception {
        FaultInjection faults = own(FaultInjection.install());
        SocketAcceptor socket = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        ForgetfulTimers timers = new ForgetfulTimers(0);
        Proactor poor = own(Proactors.on(OpenedDemultiplexers.openAsynchronous(demultiplexer), timers));
        AsyncAcceptor.listen(List.of(poor), socket, new ListenOptions(),
                stream -> services.add(own(stream.stream())));
        for (int served = 1; served <= 3; served++) {
            timers.refuse(1);
            faults.throwNth(ACCEPT, 1, new OutOfMemoryError("thrown by the test"));
            own(SocketConnector.connect(socket.localAddress(), LIMIT));
            long end = System.nanoTime() + LIMIT.toNanos();
            while (services.size() < served) {
                assertTrue(System.nanoTime() - end < 0 && socket.handle().isOpen(), "the connection is not served");
                poor.runOnce(LIMIT);
            }
            assertEquals(0, timers.refusals(), "the pause was tried");
        }
    }
}
