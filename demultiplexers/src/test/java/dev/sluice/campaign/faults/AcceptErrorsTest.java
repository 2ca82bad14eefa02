package dev.sluice.campaign.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ListenOptions;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.eventloop.WaitFunctions;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Reactors;
import dev.sluice.reactor.Registration;
import dev.sluice.testing.Depth;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whichever error accepting one connection meets, a server accepts the next one, on every mechanism. */
@EnabledOnOs({OS.LINUX, OS.WINDOWS})
@Tag(Depth.BINDING)
class AcceptErrorsTest extends LeakChecked {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final List<SocketStream> served = new ArrayList<>();
    private FaultyCalls calls;
    private SocketAcceptor socket;

    @BeforeEach
    void install() {
        Binding real = Bindings.current();
        calls = new FaultyCalls(real);
        own(() -> Bindings.use(real));
        Bindings.use(calls.binding());
    }

    @AfterEach
    void closeServed() {
        calls.heal();
        served.forEach(SocketStream::close);
    }

    static Stream<HandleSet> reactors() {
        return HandleSet.usable(Mechanism.Mode.SYNCHRONOUS).stream();
    }

    static Stream<HandleSet> proactors() {
        return HandleSet.usable(Mechanism.Mode.ASYNCHRONOUS).stream();
    }

    /** {@return those that end no listener, of the shortages one, as each costs a pause; not for edges: EAGAIN} */
    private static List<InjectedError> injectedErrors(String call) {
        List<Errno> longOnes = List.of(Errno.EAGAIN, Errno.EPROTONOSUPPORT, Errno.ENFILE, Errno.ENOBUFS,
                Errno.ENOMEM);
        return InjectedErrors.of(call).stream()
                .filter(injected -> injected.kind() == InjectedError.Kind.FAILS && injected.harmless())
                .filter(injected -> !longOnes.contains(injected.error()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("reactors")
    void acceptorServesAfterEachError(HandleSet set) throws Exception {
        String call = WaitFunctions.accepting(set.demultiplexer());
        try (Reactor reactor = Reactors.on(OpenedDemultiplexers.openSynchronous(set.demultiplexer()), TimerQueue.heap(),
                set.kind())) {
            for (InjectedError injected : injectedErrors(call)) {
                listen();
                connect();
                calls.begin(new Fault(call, 1, false, injected));
                Acceptor.listen(List.of(reactor), socket, new ListenOptions(), Served::new);
                assertServes(reactor, injected);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("proactors")
    void asyncAcceptorServesAfterEachError(HandleSet set) throws Exception {
        String call = set.demultiplexer().startsWith("io_uring") ? "IORING_OP_ACCEPT multishot"
                : WaitFunctions.accepting(set.demultiplexer());
        try (Proactor proactor = Proactor.open(set.demultiplexer())) {
            for (InjectedError injected : injectedErrors(call)) {
                listen();
                connect();
                calls.begin(new Fault(call, 1, false, injected));
                AsyncAcceptor.listen(List.of(proactor), socket, new ListenOptions(),
                        stream -> served.add(stream.stream()));
                assertServes(proactor, injected);
            }
        }
    }

    private void listen() throws IOException {
        socket = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        served.forEach(SocketStream::close);
        served.clear();
    }

    private void connect() throws IOException {
        own(SocketConnector.connect(socket.localAddress(), LIMIT));
    }

    private void assertServes(EventLoop loop, InjectedError injected) throws IOException {
        awaitServed(loop, injected, 1);
        assertTrue(calls.struck() > 0, () -> injected + " has not happened");
        connect();
        awaitServed(loop, injected, 2);
        socket.close();
    }

    private void awaitServed(EventLoop loop, InjectedError injected, int count) throws IOException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (served.size() < count) {
            assertTrue(socket.handle().isOpen(), () -> "closed after " + injected);
            assertFalse(System.nanoTime() - end > 0, () -> "serves no connection after " + injected);
            loop.runOnce(Duration.ofMillis(100));
        }
        assertEquals(count, served.size());
    }

    private final class Served extends ServiceHandler {
        @Override
        public void open() {
            served.add(peer());
        }

        @Override
        public void handleInput(Registration registration) {
            registration.close();
        }
    }
}
