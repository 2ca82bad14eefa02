package dev.sluice.demultiplexer.kqueue;

import static dev.sluice.demultiplexer.spi.EventType.EXCEPTION;
import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Bsd;
import dev.sluice.calls.PerSystem;
import dev.sluice.calls.layout.KqueueConstants;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes between two waits of an iterative set reach the kernel with the second. */
@EnabledIfKqueue
class KqueueChangesTest {

    private final List<Pipe> pipes = new ArrayList<>();
    /** Number of changes that each call of {@code kevent} brought. */
    private final List<Integer> calls = new ArrayList<>();
    private SynchronousEventDemultiplexer kqueue;
    private ReadyBatch ready;
    private Membership writable;

    @BeforeEach
    void open() throws IOException {
        Binding previous = Bindings.use(Bindings.current().decorated("counting", new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T real) {
                return family != Bsd.class ? real : family.cast(Proxy.newProxyInstance(family.getClassLoader(),
                        new Class<?>[] {family}, (proxy, method, arguments) -> {
                            if (method.getName().equals("kevent")) {
                                calls.add((Integer) arguments[2]);
                            }
                            try {
                                return method.invoke(real, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
            }
        }));
        try {
            kqueue = new KqueueDemultiplexer("kqueue", Trigger.LEVEL);
        } finally {
            Bindings.use(previous);
        }
        ready = kqueue.newReadyBatch(16);
        writable = register();
    }

    @AfterEach
    void close() throws IOException {
        kqueue.close();
        ready.close();
        for (Pipe pipe : pipes) {
            pipe.close();
        }
    }

    private Membership register() throws IOException {
        Pipe pipe = Pipe.open();
        pipes.add(pipe);
        return kqueue.register(pipe.sink(), WRITE, null);
    }

    private void assertOnlyTheFirstIsReady(ReadyBatch batch) throws IOException {
        assertEquals(1, kqueue.awaitReady(batch, FOREVER));
        assertSame(writable, batch.membership(0));
    }

    @Test
    void oneCallSubmitsAllAndTakesReadyEvents() throws IOException {
        List<Membership> others = List.of(register(), register(), register());
        calls.clear();
        for (Membership other : others) {
            other.setEvents(0);
            other.setEvents(WRITE);
            other.deactivate();
        }
        assertEquals(List.of(), calls);
        assertOnlyTheFirstIsReady(ready);
        assertEquals(List.of(3), calls);
        assertOnlyTheFirstIsReady(ready);
        assertEquals(List.of(3, 0), calls);
    }

    @Test
    void whatIsTakenBackCostsNoChange() throws IOException {
        Membership other = register();
        calls.clear();
        other.setEvents(0);
        other.setEvents(WRITE);
        assertEquals(2, kqueue.awaitReady(ready, FOREVER));
        assertEquals(List.of(0), calls);
    }

    @Test
    void moreThanOneCallHoldsAreAllReported() throws IOException {
        for (int i = 0; i < 200; i++) {
            register().setEvents(0);
        }
        assertOnlyTheFirstIsReady(ready);
        for (int i = 0; i < 20; i++) {
            assertOnlyTheFirstIsReady(ready);
        }
    }

    @Test
    void batchOfOneLosesNoChange() throws IOException {
        register().setEvents(0);
        register().deactivate();
        try (ReadyBatch one = kqueue.newReadyBatch(1)) {
            for (int i = 0; i < 5; i++) {
                assertOnlyTheFirstIsReady(one);
            }
        }
    }

    @Test
    void changesOfARemovedMemberAreNotSubmitted() throws IOException {
        Membership other = register();
        other.setEvents(0);
        pipes.get(1).close();
        // The new handle gets the number of the closed descriptor, but none of its deferred changes.
        Membership successor = register();
        calls.clear();
        assertEquals(2, kqueue.awaitReady(ready, FOREVER));
        assertEquals(WRITE, successor.activeEvents());
        assertEquals(List.of(0), calls);
    }

    @Test
    void urgentDataIsRefusedWhereThereIsNoFilterForIt() {
        assumeTrue(KqueueConstants.EVFILT_EXCEPT == PerSystem.NONE, "this system has EVFILT_EXCEPT");
        String refusal = assertThrows(IOException.class, () -> writable.setEvents(EXCEPTION)).getMessage();
        assertEquals("kqueue cannot wait for EXCEPTION of " + writable.handle()
                + ": there is no filter for it here; use poll or select", refusal);
    }
}
