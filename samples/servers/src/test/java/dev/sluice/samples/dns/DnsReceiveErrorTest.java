package dev.sluice.samples.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Receives of queries that fail. If that is for lack of memory, the socket stays ready, and no thread may spin. */
@EnabledOnOs(OS.LINUX)
class DnsReceiveErrorTest {

    private static final int FAILURES = 3;

    private final Binding real = Bindings.current();
    private final ConcurrentLinkedQueue<Character> history = new ConcurrentLinkedQueue<>();
    private volatile int left;
    private volatile Errno error = Errno.ENOMEM;

    /** Lets receives fail, and records the result of each, and each change of the registration. */
    @BeforeEach
    void decorate() {
        Bindings.use(real.decorated(real.name(), new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T functions) {
                return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                        (proxy, method, arguments) -> {
                            boolean receives = method.getName().equals("recvfrom");
                            if (receives && left > 0) {
                                left--;
                                history.add('E');
                                return (long) -error.number();
                            }
                            if (receives) {
                                history.add('R');
                            } else if (method.getName().equals("epoll_ctl") && !history.isEmpty()) {
                                history.add('C');
                            }
                            try {
                                return method.invoke(functions, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
            }
        }));
    }

    @AfterEach
    void useRealBinding() {
        Bindings.use(real);
    }

    @Test
    void aShortageIsWaitedFor() throws Exception {
        try (RunningSample server = SampleCommand.of("dns", "--port", "0", "--threads", "1", "--demultiplexer", "epoll")
                .start(); DatagramSocket client = new DatagramSocket()) {
            client.connect(server.awaitAddress());
            client.setSoTimeout((int) Patience.LIMIT.toMillis());
            left = FAILURES;
            byte[] query = DnsMessage.query(7, "localhost", DnsMessage.A);
            client.send(new DatagramPacket(query, query.length));
            DatagramPacket reply = new DatagramPacket(new byte[512], 512);
            client.receive(reply);
            StringBuilder calls = new StringBuilder();
            history.forEach(calls::append);
            assertTrue(calls.toString().matches("(EC+){" + FAILURES + "}R.*"), calls::toString);
            server.stop();
            assertEquals(1, server.errors().lines().stream().filter(line -> line.contains("ENOMEM")).count(),
                    server.errors()::text);
        }
    }

    /** It would be there, and never answer. */
    @Test
    void theServerEndsWithItsSocket() throws Exception {
        try (RunningSample server = SampleCommand.of("dns", "--port", "0").start();
                DatagramSocket client = new DatagramSocket()) {
            client.connect(server.awaitAddress());
            error = Errno.EBADF;
            left = FAILURES;
            byte[] query = DnsMessage.query(7, "localhost", DnsMessage.A);
            client.send(new DatagramPacket(query, query.length));
            assertEquals(1, server.awaitExit());
            assertTrue(server.errors().text().contains("sluice dns: the server failed: "), server.errors()::text);
        }
    }
}
