package dev.sluice.connection;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.ForgetfulTimers;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.ReactorContract;
import dev.sluice.reactor.Reactors;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Accepting goes on after a pause, for whose beginning or end there was no memory. */
@EnabledOnOs(OS.LINUX)
@RunsOn(only = {"epoll", "epoll-one-shot", "epoll-edge"})
class AcceptorMemoryTest extends ReactorContract {

    private static final String ACCEPT = "accept4";

    private final List<Service> services = new ArrayList<>();
    private FaultInjection faults;
    private SocketAcceptor socket;
    private Reactor another;

    /** An acceptor that accepts by a reactor whose calls can be spoiled, too. */
    private void openAcceptor(TimerQueue timers) throws IOException {
        faults = own(FaultInjection.install());
        socket = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        another = own(Reactors.on(OpenedDemultiplexers.openSynchronous(demultiplexer), timers, kind));
        Acceptor.listen(List.of(another), socket, new ListenOptions(), this::service);
        faults.failNth(ACCEPT, 1, Errno.EMFILE);
        own(SocketConnector.connect(socket.localAddress(), LIMIT));
    }

    private Service service() {
        Service service = new Service();
        services.add(service);
        return service;
    }

    private void assertServes() throws IOException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (services.isEmpty()) {
            another.runOnce(LIMIT);
            assertTrue(System.nanoTime() - end < 0, "the connection is not accepted");
        }
        assertTrue(socket.handle().isOpen());
    }

    @Test
    void connectionsAreAcceptedAlsoIfThereIsNoMemoryToWaitForThat() throws Exception {
        openAcceptor(new ForgetfulTimers(1));
        assertServes();
    }

    @Test
    void connectionsAreAcceptedAlsoIfThereIsNoMemoryToBeginAgain() throws Exception {
        openAcceptor(TimerQueue.heap());
        while (faults.calls(ACCEPT) == 0) {
            another.runOnce(LIMIT);
        }
        for (int n = 1; n <= 3; n++) {
            faults.throwNth("epoll_ctl", n, new OutOfMemoryError("thrown by the test"));
        }
        assertServes();
    }
}
