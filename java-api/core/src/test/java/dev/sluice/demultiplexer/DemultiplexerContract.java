package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Emulator;
import dev.sluice.demultiplexer.spi.DemultiplexerFactory;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.testing.Pause;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Base class of the contracts of all synchronous demultiplexers: a new demultiplexer for each test, and a check that
 * each test has released its resources.
 */
@ExtendWith(OnTestThread.class)
public abstract class DemultiplexerContract {

    /** Time limit for events that must happen. */
    static final Duration PATIENCE = Emulator.patience(Duration.ofSeconds(30));
    /** How long to wait for events that must not happen: long enough to see whether a wait observes its timeout. */
    static final long A_MOMENT = 20_000_000;

    private static final AtomicBoolean COLD = new AtomicBoolean(true);
    private static final Set<String> WARM = ConcurrentHashMap.newKeySet();

    SynchronousEventDemultiplexer demultiplexer;
    ReadyBatch ready;

    private final String name;
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private final List<Future<?>> tasks = new ArrayList<>();
    private final List<Waiter> waiters = new ArrayList<>();
    private Mechanism factory;
    private Inventory before;

    /**
     * For subclasses.
     *
     * @param name of the demultiplexer under test
     */
    protected DemultiplexerContract(String name) {
        this.name = name;
    }

    @BeforeEach
    final void open() throws Exception {
        if (COLD.getAndSet(false)) {
            openFile();
            Libkqueue.warmUp();
        }
        Inventory cold = Libkqueue.isUsed() ? Inventory.take() : null;
        factory = Mechanism.choose(name, Mechanism.Mode.SYNCHRONOUS);
        if (WARM.add(name)) {
            TestThreads.each(this::warmUp, PATIENCE.toSeconds());
        }
        before = cold != null ? Inventory.settled(cold) : Inventory.take();
        demultiplexer = own(OpenedDemultiplexers.openSynchronous(name));
        ready = newBatch(64);
    }

    // Once a file or socket channel has been opened, the JVM keeps a socket for all later ones.
    private static void openFile() throws IOException {
        Path file = Files.createTempFile("sluice", null);
        Files.readString(file);
        Files.delete(file);
        SocketChannel.open().close();
    }

    /** Lets each thread allocate its permanent memory, so that it is not attributed to a test. */
    private Void warmUp() throws IOException {
        try (SynchronousEventDemultiplexer other = openDemultiplexer();
                ReadyBatch batch = other.newReadyBatch(1);
                OneWayTransport ends = Transport.TCP.open()) {
            Membership registration = other.register(ends.receiver(), EventType.WRITE, null);
            registration.setEvents(EventType.READ);
            ends.send();
            other.awaitReady(batch, SynchronousEventDemultiplexer.FOREVER);
            ends.drain();
            registration.remove();
            other.wakeUp();
            other.awaitReady(batch, SynchronousEventDemultiplexer.FOREVER);
        }
        return null;
    }

    @AfterEach
    final void releaseResources() throws Exception {
        // First, because it ends the remaining waits of a failed test, whose batches must not be closed while in use.
        demultiplexer.close();
        for (Waiter waiter : waiters) {
            until("every wait ends with the close", waiter.future()::isDone);
        }
        for (Future<?> task : tasks) {
            result(task);
        }
        while (!owned.isEmpty()) {
            owned.pop().close();
        }
        Inventory.settled(before).assertNoMoreThan(before);
    }

    static Stream<Transport> transports() {
        return Transport.here();
    }

    /** {@return the transports with connections, which have an end of stream} */
    static Stream<Transport> streams() {
        return transports().filter(transport -> transport != Transport.UDP);
    }

    static Stream<Transport> sockets() {
        return transports().filter(transport -> transport != Transport.PIPE);
    }

    /** {@return another demultiplexer, which the caller closes} */
    final SynchronousEventDemultiplexer openDemultiplexer() throws IOException {
        return DemultiplexerFactory.of(factory).openSynchronous();
    }

    /** {@return another demultiplexer, which uses this binding and which the caller closes} */
    final SynchronousEventDemultiplexer openDemultiplexer(Binding binding) throws IOException {
        Binding previous = Bindings.use(binding);
        try {
            return DemultiplexerFactory.of(factory).openSynchronous();
        } finally {
            Bindings.use(previous);
        }
    }

    final Mechanism factory() {
        return factory;
    }

    final String name() {
        return name;
    }

    /** {@return the resource, to be closed after the test} */
    final <T extends AutoCloseable> T own(T resource) {
        owned.push(resource);
        return resource;
    }

    final OneWayTransport open(Transport transport) throws IOException {
        return own(transport.open());
    }

    final Pipe pipe() throws IOException {
        return own(Pipe.open());
    }

    final ReadyBatch newBatch(int capacity) {
        return own(demultiplexer.newReadyBatch(capacity));
    }

    /** Runs a task in another thread; the test fails if the task fails or does not end. */
    final <T> Future<T> start(Callable<T> task) {
        Future<T> started = TestThreads.start(task);
        tasks.add(started);
        return started;
    }

    static <T> T result(Future<T> task) throws Exception {
        return TestThreads.result(task, PATIENCE.toSeconds());
    }

    /** {@return a wait in another thread, which already sleeps} */
    final Waiter waiter(long timeoutNanos) throws Exception {
        return startWaiter(timeoutNanos).asleep();
    }

    /** {@return a wait in another thread, which may not have begun yet} */
    final Waiter startWaiter(long timeoutNanos) {
        return start(new Waiter(demultiplexer::awaitReady, newBatch(64), timeoutNanos));
    }

    /** {@return the waiter, started; the end of the test waits for it} */
    final Waiter start(Waiter waiter) {
        waiters.add(waiter);
        return waiter;
    }

    static void until(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        Pause pause = new Pause();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - start < PATIENCE.toNanos(), () -> "did not happen: " + what);
            pause.next();
        }
    }

    static int descriptor(Handle handle) throws IOException {
        int descriptor = (int) Descriptors.of(handle).acquire();
        Descriptors.of(handle).release();
        return descriptor;
    }

    final Membership register(Handle handle, int events) throws IOException {
        return demultiplexer.register(handle, events, null);
    }

    /** Registers a handle. Returns null if the mechanism reports that it cannot wait for these events. */
    final Membership registerOrRefuse(Handle handle, int events) throws IOException {
        try {
            return register(handle, events);
        } catch (IOException e) {
            assertTrue(e.getMessage().contains(handle.toString()), e.getMessage());
            return null;
        }
    }

    /**
     * Waits until the only handle that can be ready has been reported with all of the given events.
     *
     * @return all events that were reported
     */
    final int awaitEvents(Membership registration, int wanted) throws IOException {
        int events = 0;
        long end = System.nanoTime() + PATIENCE.toNanos();
        while ((events & wanted) != wanted) {
            int count = demultiplexer.awaitReady(ready, Math.max(0, end - System.nanoTime()));
            int seen = events;
            // Even if the last wait has found something: it should have ended when that occurred.
            assertTrue(System.nanoTime() - end < 0,
                    () -> registration + " is reported in time with " + EventType.toString(seen) + " only");
            assertEquals(count, ready.size(), "size of the batch");
            for (int i = 0; i < count; i++) {
                assertSame(registration, ready.membership(i));
                assertNotEquals(0, ready.events(i), "events of " + registration);
                events |= ready.events(i);
            }
            if ((events & wanted) != wanted) {
                registration.rearm();
            }
        }
        return events;
    }

    /** Asserts that the registration is reported once, with exactly these events. */
    final void assertReported(Membership registration, int events) throws IOException {
        assertEquals(EventType.toString(events), EventType.toString(awaitEvents(registration, events)));
    }

    final void assertQuiet() throws IOException {
        int count = demultiplexer.awaitReady(ready, 0);
        assertEquals(0, count, this::firstReported);
    }

    private String firstReported() {
        return "reported: " + ready.membership(0) + " with " + EventType.toString(ready.events(0));
    }

    /** Asserts that a wait on a quiet set sleeps until its timeout. */
    final void assertQuietFor(long nanos) throws IOException {
        ThreadTime.assertSleeps(nanos, this::waitInSilence);
    }

    private long waitInSilence(long nanos) throws IOException {
        long cpuBefore = ThreadTime.ofCurrentThread();
        long start = System.nanoTime();
        int count = demultiplexer.awaitReady(ready, nanos);
        long waited = System.nanoTime() - start;
        long cpu = ThreadTime.ofCurrentThread() - cpuBefore;
        assertEquals(0, count, this::firstReported);
        assertTrue(waited >= nanos, () -> "waited only " + waited + " of " + nanos + " ns");
        return cpu;
    }
}
