package dev.sluice.samples.first;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RawDatagram;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The guide's server of datagrams. */
@EnabledOnOs(OS.LINUX)
class FirstDatagramTest {

    /** How long to wait for an answer before the question is repeated. */
    private static final int LOST_MILLIS = 200;
    private static final String PORT = "port";
    private static final int FAILURES = 3;

    private final ConcurrentLinkedQueue<String> calls = new ConcurrentLinkedQueue<>();
    private volatile int left;
    private volatile Throwable thrown;

    @Test
    void oneThatCannotBeAnsweredEndsNothing() throws Exception {
        InetSocketAddress address = FreePort.address();
        try (RunningSample running = SampleCommand.of().withMain(FirstDatagram.class.getName())
                .withOption("-Dport=" + address.getPort()).start()) {
            assertAnswers(address, "before");
            RawDatagram.send(0, address, "from port 0".getBytes());
            assertAnswers(address, "after");
        }
    }

    /** Errors that concern one peer, or pass: after the second kind, the socket is paused. */
    @ParameterizedTest
    @EnumSource(names = {"ECONNREFUSED", "ENOMEM", "ENOBUFS"})
    void receiveThatFailsEndsNothing(Errno error) throws Exception {
        InetSocketAddress address = FreePort.address();
        Binding real = Bindings.current();
        System.setProperty(PORT, Integer.toString(address.getPort()));
        Bindings.use(real.decorated(real.name(), failing(error)));
        try (Reactor reactor = Reactor.open("epoll")) {
            try (Handle socket = new FirstDatagram(reactor).open().handle()) {
                calls.clear();
                Thread loop = new Thread(() -> run(reactor), "loop of a test");
                loop.start();
                left = FAILURES;
                assertAnswers(address, "after");
                reactor.stop();
                loop.join();
                assertTrue(socket.isOpen());
            }
        } finally {
            Bindings.use(real);
            System.clearProperty(PORT);
        }
        assertNull(thrown);
        String history = String.join("", calls);
        boolean passes = ErrorScope.ofReceive(-error.number()) == ErrorScope.TEMPORARY;
        assertTrue(history.matches((passes ? "R*(EC+){" : "R*(EC*){") + FAILURES + "}R.*"), history);
    }

    private void run(Reactor reactor) {
        try {
            reactor.run();
        } catch (Throwable e) {
            thrown = e;
        }
    }

    /** Lets receives fail, and records the result of each, and each change of the registration. */
    private Binding.Decorator failing(Errno error) {
        return new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T functions) {
                return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                        (proxy, method, arguments) -> {
                            boolean receives = method.getName().equals("recvfrom");
                            if (receives && left > 0) {
                                left--;
                                calls.add("E");
                                return (long) -error.number();
                            }
                            if (receives) {
                                calls.add("R");
                            } else if (method.getName().equals("epoll_ctl")) {
                                calls.add("C");
                            }
                            try {
                                return method.invoke(functions, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
            }
        };
    }

    private static void assertAnswers(InetSocketAddress server, String text) throws Exception {
        try (DatagramSocket client = new DatagramSocket()) {
            client.connect(server);
            client.setSoTimeout(LOST_MILLIS);
            Patience.until("the program answers", () -> isAnswered(client, text.getBytes()));
        }
    }

    private static boolean isAnswered(DatagramSocket client, byte[] content) throws IOException {
        DatagramPacket answer = new DatagramPacket(new byte[100], 100);
        try {
            client.send(new DatagramPacket(content, content.length));
            client.receive(answer);
        } catch (SocketTimeoutException | PortUnreachableException e) {
            return false;
        }
        assertArrayEquals(content, Arrays.copyOf(answer.getData(), answer.getLength()));
        return true;
    }
}
