package dev.sluice.demultiplexer.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.ScarceMemory;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Reactors;
import dev.sluice.reactor.Recorder;
import dev.sluice.timer.TimerQueue;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code epoll_ctl} fails with ENOMEM: the failed change has no effect, and can be repeated. */
@EnabledOnOs(OS.LINUX)
class EpollRefusedChangeTest extends LeakChecked {

    private static final String CHANGE = "epoll_ctl";

    private FaultInjection faults;

    @BeforeEach
    void install() {
        faults = own(FaultInjection.install());
    }

    private EpollDemultiplexer open(Trigger trigger) throws Exception {
        return own(new EpollDemultiplexer("epoll", trigger));
    }

    private Pipe readablePipe() throws Exception {
        Pipe pipe = own(Pipe.open());
        pipe.send(ByteBuffer.allocate(1));
        return pipe;
    }

    private static void assertReported(EpollDemultiplexer demultiplexer, Membership registration)
            throws Exception {
        try (ReadyBatch ready = demultiplexer.newReadyBatch(4)) {
            assertEquals(1, demultiplexer.awaitReady(ready, 0));
            assertEquals(registration, ready.membership(0));
        }
    }

    private void refuse(Executable change) {
        faults.failNth(CHANGE, 1, Errno.ENOMEM);
        assertThrows(SystemCallException.class, change);
    }

    @ParameterizedTest
    @EnumSource(Trigger.class)
    void newEventsCanBeSetAgain(Trigger trigger) throws Exception {
        EpollDemultiplexer demultiplexer = open(trigger);
        Membership registration = demultiplexer.register(readablePipe().source(), 0, null);
        refuse(() -> registration.setEvents(EventType.READ));
        registration.setEvents(EventType.READ);
        assertReported(demultiplexer, registration);
    }

    @ParameterizedTest
    @EnumSource(Trigger.class)
    void anActivationCanBeTriedAgain(Trigger trigger) throws Exception {
        EpollDemultiplexer demultiplexer = open(trigger);
        Membership registration = demultiplexer.register(readablePipe().source(), EventType.READ, null);
        registration.deactivate();
        refuse(registration::activate);
        registration.activate();
        assertReported(demultiplexer, registration);
    }

    @Test
    void aRearmingCanBeTriedAgain() throws Exception {
        EpollDemultiplexer demultiplexer = open(Trigger.ONE_SHOT);
        Membership registration = demultiplexer.register(readablePipe().source(), EventType.READ, null);
        assertReported(demultiplexer, registration);
        refuse(registration::rearm);
        registration.rearm();
        assertReported(demultiplexer, registration);
    }

    /** A hook that runs the loop has its own handle silenced. That this cannot be undone must not end the loop. */
    @Test
    void aHandleThatCannotBeActivatedAfterItsHookEnds() throws Exception {
        Reactor reactor = own(Reactors.on(open(Trigger.LEVEL), TimerQueue.heap()));
        OutOfMemoryError lack = new OutOfMemoryError("thrown by the test");
        Recorder reader = new Recorder("reader", readablePipe().source());
        reader.onInput(() -> {
            reactor.runOnce(Duration.ZERO);
            faults.throwNth(CHANGE, 1, lack);
        });
        reader.register(reactor, Interest.READ);
        assertEquals(1, reactor.runOnce(Duration.ZERO));
        assertEquals(List.of("input", "failure", "close READ"), reader.calls());
        assertEquals(List.of(lack), reader.failures());
    }

    @Test
    void aHandleThatCannotBeRegisteredWithoutMemoryIsReleased() throws Exception {
        AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
        Pipe pipe = own(Pipe.open());
        Binding plentiful = Bindings.use(ScarceMemory.of(Bindings.current(), () -> left.decrementAndGet() == 0));
        try {
            EpollDemultiplexer demultiplexer = open(Trigger.LEVEL);
            left.set(1);
            assertThrows(OutOfMemoryError.class,
                    () -> demultiplexer.register(pipe.source(), EventType.READ, null));
        } finally {
            Bindings.use(plentiful);
        }
        pipe.source().close();
        // The other end notices the close if the descriptor is closed.
        assertEquals("EPIPE", assertThrows(SystemCallException.class,
                () -> pipe.send(ByteBuffer.allocate(1))).errorName());
    }

    /** On a concurrent set it is armed after each one. */
    @Test
    @Timeout(60)
    void aWakeUpThatCannotBeArmedStillEndsAWait() throws Exception {
        EpollDemultiplexer demultiplexer = open(Trigger.ONE_SHOT);
        Membership registration = demultiplexer.register(readablePipe().source(), 0, null);
        try (ReadyBatch ready = demultiplexer.newReadyBatch(4)) {
            faults.failEach(CHANGE, Errno.ENOMEM);
            for (int i = 0; i < 3; i++) {
                demultiplexer.wakeUp();
                assertEquals(0, demultiplexer.awaitReady(ready, SynchronousEventDemultiplexer.FOREVER));
            }
            faults.heal();
            demultiplexer.wakeUp();
            assertEquals(0, demultiplexer.awaitReady(ready, SynchronousEventDemultiplexer.FOREVER));
            registration.setEvents(EventType.READ);
            assertEquals(1, demultiplexer.awaitReady(ready, SynchronousEventDemultiplexer.FOREVER));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", CHANGE})
    @Timeout(60)
    void aWakeUpThatThereIsNoMemoryToTakeIsNotTheLast(String call) throws Exception {
        EpollDemultiplexer demultiplexer = open(Trigger.ONE_SHOT);
        try (ReadyBatch ready = demultiplexer.newReadyBatch(4)) {
            for (int i = 0; i < 3; i++) {
                demultiplexer.wakeUp();
                faults.throwNth(call, 1, new OutOfMemoryError("thrown by the test"));
                assertThrows(OutOfMemoryError.class,
                        () -> demultiplexer.awaitReady(ready, SynchronousEventDemultiplexer.FOREVER));
                demultiplexer.wakeUp();
                assertEquals(0, demultiplexer.awaitReady(ready, SynchronousEventDemultiplexer.FOREVER));
            }
        }
    }

    @Test
    void aCloseThatCannotChangeTheWakeUpReleasesAll() throws Exception {
        EpollDemultiplexer demultiplexer = open(Trigger.ONE_SHOT);
        faults.failNth(CHANGE, 1, Errno.ENOMEM);
        demultiplexer.close();
    }
}
