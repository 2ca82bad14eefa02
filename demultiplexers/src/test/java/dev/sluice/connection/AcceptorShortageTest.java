package dev.sluice.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.WaitFunctions;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.ReactorContract;
import dev.sluice.reactor.Recorder;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** When there are no more descriptors, connections wait and the loop does not spin. */
@EnabledOnOs({OS.LINUX, OS.WINDOWS})
@Tag(Depth.IN_QUICK)
class AcceptorShortageTest extends ReactorContract {

    private static final long PAUSE_MILLIS = 100;

    private final List<Service> services = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private FaultInjection faults;
    private SocketAcceptor socket;
    private Acceptor acceptor;
    private String accept;

    @BeforeEach
    void listen() throws IOException {
        // First, since a handle keeps the binding that it was opened with.
        faults = own(FaultInjection.install());
        socket = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        acceptor = Acceptor.listen(List.of(reactor), socket, new ListenOptions().onFailure(failures::add),
                this::service);
        accept = WaitFunctions.accepting(reactor.demultiplexer());
    }

    private Service service() {
        Service service = new Service();
        services.add(service);
        return service;
    }

    private void connect(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            own(SocketConnector.connect(socket.localAddress(), LIMIT));
        }
    }

    private void runFor(Duration time) throws IOException {
        Recorder over = new Recorder("over");
        reactor.schedule(over, null, time);
        runUntil(() -> over.called("timeout"));
    }

    @Test
    void connectionsWaitUntilThereAreDescriptorsAgain() throws Exception {
        faults.failEach(accept, Errno.EMFILE);
        long start = System.nanoTime();
        connect(10);
        runFor(Duration.ofMillis(3 * PAUSE_MILLIS));
        int calls = faults.calls(accept);
        long most = 1 + Duration.ofNanos(System.nanoTime() - start).toMillis() / PAUSE_MILLIS;
        assertTrue(calls >= 1 && calls <= most, () -> calls + " calls where " + most + " are enough");
        assertEquals(0, services.size());
        faults.heal();
        runUntil(() -> services.size() == 10);
        assertEquals(List.of(), failures);
        connect(1);
        runUntil(() -> services.size() == 11);
    }

    @Test
    void everyKindOfShortagePasses() throws Exception {
        int served = 0;
        for (Errno shortage : shortages()) {
            faults.failNth(accept, 1, shortage);
            connect(1);
            int expected = ++served;
            runUntil(() -> services.size() == expected);
        }
        assertEquals(List.of(), failures);
    }

    private static List<Errno> shortages() {
        List<Errno> shortages = new ArrayList<>(List.of(Errno.EMFILE, Errno.ENOBUFS, Errno.ENOMEM));
        if (!CalledSystem.isWindows()) {
            shortages.add(Errno.ENFILE);
        }
        return shortages;
    }

    @Test
    void othersAreServedInTheMeantime() throws Exception {
        // On Windows it consists of sockets, one of which is accepted.
        Pipe pipe = pipe();
        int before = faults.calls(accept);
        faults.failEach(accept, Errno.EMFILE);
        connect(1);
        Recorder other = reader("other", pipe);
        other.register(reactor, Interest.READ);
        runUntil(() -> faults.calls(accept) == before + 1);
        send(pipe);
        runUntil(() -> other.called("input"));
        assertEquals(0, services.size());
    }

    @Test
    void theAcceptorMayBeClosedInTheMeantime() throws Exception {
        faults.failEach(accept, Errno.EMFILE);
        connect(1);
        runUntil(() -> faults.calls(accept) == 1);
        acceptor.close();
        runFor(Duration.ofMillis(2 * PAUSE_MILLIS));
        assertEquals(1, faults.calls(accept));
        assertEquals(List.of(), failures);
    }

    @Test
    void anyOtherErrorEndsTheAcceptor() throws Exception {
        faults.failNth(accept, 1, Errno.EINVAL);
        connect(1);
        runUntil(() -> !failures.isEmpty());
        assertEquals("EINVAL", ((SystemCallException) failures.get(0)).errorName());
        assertFalse(socket.handle().isOpen());
        assertEquals(1, failures.size());
    }
}
