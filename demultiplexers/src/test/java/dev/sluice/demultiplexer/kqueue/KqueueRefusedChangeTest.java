package dev.sluice.demultiplexer.kqueue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Bsd;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.Kevent;
import dev.sluice.calls.layout.KqueueConstants;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A deferred change fails with ENOMEM: the wait reports that, and the next one submits the change again. */
@EnabledOnOs(OS.LINUX)
class KqueueRefusedChangeTest extends LeakChecked {

    private final Binding real = Bindings.current();
    /** Number of changes that each call brought. */
    private final List<Integer> calls = new ArrayList<>();
    private boolean refuses;

    /** {@return a kqueue on which no handle is ever ready} */
    private KqueueDemultiplexer open() throws IOException {
        Bsd bsd = (Bsd) Proxy.newProxyInstance(Bsd.class.getClassLoader(), new Class<?>[] {Bsd.class},
                (proxy, method, arguments) -> method.getName().equals("kqueue") ? real.linux().epoll_create1(0)
                        : kevent((Long) arguments[1], (Integer) arguments[2], (Long) arguments[3]));
        Bindings.use(new Binding("refusing", real.os(), real.memory(), real.posix(), real.linux(), bsd, null));
        try {
            return own(new KqueueDemultiplexer("kqueue", Trigger.LEVEL));
        } finally {
            Bindings.use(real);
        }
    }

    private int kevent(long changes, int changeCount, long events) {
        calls.add(changeCount);
        if (!refuses || changeCount == 0) {
            return 0;
        }
        if (events == 0) {
            return -Errno.ENOMEM.number();
        }
        try (MemoryBlock change = real.memory().wrap(changes, Kevent.SIZE, () -> { });
                MemoryBlock event = real.memory().wrap(events, Kevent.SIZE, () -> { })) {
            event.buffer().put(0, change.buffer(), 0, Kevent.SIZE);
            event.buffer().putShort(Kevent.FLAGS, (short) KqueueConstants.EV_ERROR);
            event.buffer().putLong(Kevent.DATA, Errno.ENOMEM.number());
        }
        return 1;
    }

    /** The changes of a batch of one are calls of their own. */
    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void nextWaitSubmitsItAgain(int capacity) throws IOException {
        KqueueDemultiplexer kqueue = open();
        Pipe pipe = own(Pipe.open());
        Membership membership = kqueue.register(pipe.source(), EventType.READ, null);
        try (ReadyBatch ready = kqueue.newReadyBatch(capacity)) {
            membership.setEvents(EventType.READ | EventType.WRITE);
            refuses = true;
            for (int i = 0; i < 2; i++) {
                calls.clear();
                assertEquals("ENOMEM", assertThrows(SystemCallException.class,
                        () -> kqueue.awaitReady(ready, 0)).errorName());
                assertEquals(List.of(1), calls);
            }
            refuses = false;
            calls.clear();
            assertEquals(0, kqueue.awaitReady(ready, 0));
            assertEquals(List.of(1, 0), calls);
            calls.clear();
            assertEquals(0, kqueue.awaitReady(ready, 0));
            assertEquals(List.of(0), calls);
        }
    }
}
