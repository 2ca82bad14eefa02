package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.samples.Patience;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Receives of datagrams that fail: they concern one peer, the server for a moment, or its socket forever. */
@EnabledOnOs(OS.LINUX)
class LoggingReceiveErrorTest {

    private final Binding real = Bindings.current();
    private final FailingReceive failing = new FailingReceive();

    @TempDir
    private Path directory;

    @BeforeEach
    void decorate() {
        Bindings.use(real.decorated(real.name(), failing));
    }

    @AfterEach
    void useRealBinding() {
        Bindings.use(real);
    }

    private static void send(LoggingSample logging, String record) throws Exception {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.send(new DatagramPacket(record.getBytes(US_ASCII), record.length(), logging.address()));
        }
    }

    @Test
    void anErrorOfOnePeerEndsNothing() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory)) {
            logging.address();
            failing.fail(Errno.EHOSTUNREACH, 3);
            send(logging, "<13>one");
            logging.awaitLines("<13>one");
            assertEquals("EEER", failing.history().substring(0, 4));
            logging.process().stop();
            assertTrue(logging.process().errors().lines().stream().noneMatch(line -> line.contains("WARN")));
        }
    }

    @Test
    void aShortageIsWaitedFor() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory)) {
            logging.address();
            failing.fail(Errno.ENOMEM, 2);
            send(logging, "<13>one");
            logging.awaitLines("<13>one");
            assertTrue(failing.history().matches("EW+EW+R.*"), failing::history);
            assertTrue(logging.stop().startsWith("1 records accepted"));
            assertEquals(1, logging.process().errors().lines().stream()
                    .filter(line -> line.contains("receiving is paused") && line.contains("ENOMEM")).count());
        }
    }

    /** The stop waits, too, and stores what is there. */
    @Test
    void aShortageDuringTheStopLosesNothing() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory)) {
            logging.address();
            failing.fail(Errno.ENOMEM, 3);
            send(logging, "<13>one");
            logging.process().terminate();
            assertTrue(logging.stop().startsWith("1 records accepted"), logging.process().errors()::text);
            logging.awaitLines("<13>one");
        }
    }

    /** It would be ready forever, and the loop would do nothing else. */
    @Test
    void anErrorOfTheSocketEndsItAlone() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory); SyslogClient client = logging.connect()) {
            failing.fail(Errno.ENOTSOCK, Integer.MAX_VALUE);
            send(logging, "<13>one");
            Patience.until("it is closed", () -> logging.process().errors().lines().stream()
                    .anyMatch(line -> line.contains("ENOTSOCK")));
            String before = failing.history();
            client.send("<13>by TCP\n");
            logging.awaitLines("<13>by TCP");
            assertTrue(before.chars().filter(call -> call == 'E').count() <= 2, before);
            assertTrue(failing.history().chars().filter(call -> call == 'E').count() <= 2, failing::history);
            client.end();
            logging.process().stop();
        }
    }

    /** Lets receives of several datagrams fail, and records the results of receives and waits. */
    private static final class FailingReceive implements Binding.Decorator {

        private final ConcurrentLinkedQueue<Character> history = new ConcurrentLinkedQueue<>();
        private volatile int number;
        private volatile int left;

        void fail(Errno error, int count) {
            number = error.number();
            history.clear();
            left = count;
        }

        String history() {
            StringBuilder text = new StringBuilder();
            history.forEach(text::append);
            return text.toString();
        }

        @Override
        public <T> T decorate(Class<T> family, T functions) {
            return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                    (proxy, method, arguments) -> {
                        boolean receives = method.getName().equals("recvmmsg");
                        if (receives && left > 0) {
                            left--;
                            history.add('E');
                            return -number;
                        }
                        try {
                            Object result = method.invoke(functions, arguments);
                            if (receives) {
                                history.add('R');
                            } else if (method.getName().equals("epoll_wait") && !history.isEmpty()) {
                                history.add('W');
                            }
                            return result;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }));
        }
    }
}
