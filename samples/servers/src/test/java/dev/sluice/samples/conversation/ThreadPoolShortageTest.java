package dev.sluice.samples.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A pool of threads that accept, and for whose connections there is no descriptor. */
@EnabledOnOs(OS.LINUX)
class ThreadPoolShortageTest {

    private final Binding real = Bindings.current();
    private final AtomicInteger left = new AtomicInteger();

    @BeforeEach
    void decorate() {
        Bindings.use(real.decorated(real.name(), new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T functions) {
                return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("accept4") && left.get() > 0) {
                                left.decrementAndGet();
                                return -Errno.EMFILE.number();
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
    void saysOnceThatConnectionsWait() throws Exception {
        try (RunningSample echo = SampleCommand.of("echo", "--port", "0", "--concurrency", "thread-pool", "--threads",
                "1").start()) {
            InetSocketAddress address = echo.awaitAddress();
            left.set(12);
            try (Socket client = new Socket(address.getAddress(), address.getPort())) {
                client.setSoTimeout((int) Patience.LIMIT.toMillis());
                client.getOutputStream().write(7);
                assertEquals(7, client.getInputStream().read());
            }
            echo.stop();
            assertEquals(1, echo.errors().lines().stream().filter(line -> line.contains("EMFILE")).count(),
                    echo.errors()::text);
        }
    }
}
