package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.OpenDescriptors;
import dev.sluice.handle.SocketStream;
import dev.sluice.testing.Pause;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
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
import org.junit.jupiter.api.io.TempDir;

/**
 * Base class of the contracts of all asynchronous demultiplexers: a new demultiplexer for each test, whose loop thread
 * is the test's thread, and a check that each test has released its resources. After each test the demultiplexer is
 * closed with the operations in flight.
 */
@ExtendWith(OnLoopThread.class)
public abstract class OperationContract {

    /** Time limit for events that must happen. */
    static final Duration PATIENCE = DemultiplexerContract.PATIENCE;
    /** How long to wait for events that must not happen. */
    static final long A_MOMENT = 5_000_000;
    static final long FOREVER = AsynchronousEventDemultiplexer.FOREVER;

    private static final int CAPACITY = 64;
    private static final Set<Thread> WARM = ConcurrentHashMap.newKeySet();

    AsynchronousEventDemultiplexer demultiplexer;
    Completions completions;
    @TempDir
    Path directory;

    private final AsynchronousMechanism mechanism;
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private final List<Future<?>> tasks = new ArrayList<>();
    private final Map<Operation, Flight> flights = new ConcurrentHashMap<>();
    private Inventory before;

    protected OperationContract(AsynchronousMechanism mechanism) {
        this.mechanism = mechanism;
    }

    @BeforeEach
    final void openDemultiplexer() throws Exception {
        if (WARM.add(Thread.currentThread())) {
            Files.readString(Files.createFile(directory.resolve("first")));
            Libkqueue.warmUp();
            Inventory cold = Inventory.take();
            warmUp();
            finish(TestThreads.start(this::warmUpTestThreads));
            if (Libkqueue.isUsed()) {
                Inventory.settled(cold);
            }
        }
        before = Inventory.take();
        demultiplexer = own(open());
        completions = newBatch(CAPACITY);
    }

    private Void warmUpTestThreads() throws Exception {
        TestThreads.each(this::warmUp, PATIENCE.toSeconds());
        return null;
    }

    /** Lets each thread allocate its permanent memory, so that it is not attributed to a test. */
    private Void warmUp() throws IOException {
        try (AsynchronousEventDemultiplexer other = open();
                Completions batch = other.newCompletions(1);
                OneWayTransport ends = Transport.TCP.open()) {
            Association association = other.associate(ends.receiver());
            other.newOperation().receive(association, ByteBuffer.allocate(1));
            ends.send();
            other.awaitCompletions(batch, FOREVER);
            ends.receive();
            other.wakeUp();
            other.awaitCompletions(batch, FOREVER);
        }
        return null;
    }

    /** For tests that check the error of a socket after a wait for its readiness. */
    final void assumeErrorsAreLeft() {
        assumeFalse(Libkqueue.isBehind(demultiplexer.name()),
                "libkqueue takes a socket's error away as it reports it; a kernel leaves it for the next call");
    }

    /** {@return the kinds of connections that the system has} */
    static Stream<StreamKind> streamKinds() {
        return StreamKind.here();
    }

    static Stream<Transport> transports() {
        return Transport.here();
    }

    @AfterEach
    final void releaseResources() throws Exception {
        assertNoneCompletesAgain();
        // First, because it ends the remaining waits of a failed test.
        demultiplexer.close();
        assertEquals(0, demultiplexer.inFlight(), "in flight after the close");
        for (Flight flight : flights.values()) {
            assertFalse(flight.operation().isInFlight(), () -> "in flight after the close: " + flight);
            flight.close();
        }
        for (Future<?> task : tasks) {
            finish(task);
        }
        while (!owned.isEmpty()) {
            owned.pop().close();
        }
        assertNothingLeaked();
    }

    /** Waits until the demultiplexer's threads have ended. */
    final void awaitEndOfThreads() throws InterruptedException {
        before.threads().awaitEndOfOthers();
    }

    private void assertNoneCompletesAgain() throws IOException {
        try {
            while (demultiplexer.awaitCompletions(completions, 0) > 0) {
                for (int i = 0; i < completions.size(); i++) {
                    Flight flight = flights.get(completions.operation(i));
                    if (flight != null) {
                        flight.assertMayComplete();
                    }
                }
            }
        } catch (HandleClosedException | IllegalStateException e) {
            // The test has closed the demultiplexer, or another thread is its loop thread.
            completions.clear();
        }
    }

    private void assertNothingLeaked() throws IOException, InterruptedException {
        awaitEndOfThreads();
        long start = System.nanoTime();
        Inventory now = Inventory.settled(before);
        now.assertNoMoreThan(before);
        // Including files; the JVM opens and closes some of its own in between.
        String leaked = now.descriptors().without(before.descriptors());
        Pause pause = new Pause();
        while (!leaked.isEmpty() && System.nanoTime() - start < PATIENCE.toNanos()) {
            pause.next();
            leaked = OpenDescriptors.now().without(before.descriptors());
        }
        assertEquals("", leaked, "descriptors leaked");
    }

    // Creating

    /** Opens the demultiplexer of a test. */
    AsynchronousEventDemultiplexer open() throws IOException {
        return mechanism.open();
    }

    /** {@return a small demultiplexer, which uses this binding and which the caller closes} */
    final AsynchronousEventDemultiplexer openSmall(Binding binding) throws IOException {
        Binding previous = Bindings.use(binding);
        try {
            return openSmall();
        } finally {
            Bindings.use(previous);
        }
    }

    final AsynchronousEventDemultiplexer openSmall() throws IOException {
        return mechanism.openSmall();
    }

    /** {@return whether cancelling a send resets its connection} */
    final boolean cancellingASendResets() {
        return mechanism.cancellingASendResets();
    }

    /** {@return the number of operations that the mechanism completes within two minutes} */
    final int manyOperations() {
        return mechanism.manyOperations();
    }

    /** {@return whether a handle that has been associated once cannot be associated with another demultiplexer} */
    final boolean tiesHandlesPermanently() {
        return mechanism.tiesHandlesPermanently();
    }

    /** {@return the resource, to be closed after the test and after the demultiplexer} */
    final <T extends AutoCloseable> T own(T resource) {
        owned.push(resource);
        return resource;
    }

    final Completions newBatch(int capacity) {
        return own(demultiplexer.newCompletions(capacity));
    }

    final StreamPair pair(StreamKind kind) throws IOException {
        return own(kind.connect());
    }

    final Association associate(Handle handle) throws IOException {
        return demultiplexer.associate(handle);
    }

    final Association associate(SocketStream stream) throws IOException {
        return demultiplexer.associate(stream.handle());
    }

    /** {@return an operation that has not been started} */
    final Flight flight() {
        Flight flight = new Flight(demultiplexer);
        flights.put(flight.operation(), flight);
        return flight;
    }

    /** {@return the flight of the operation} */
    final Flight flightOf(Operation operation) {
        return flights.get(operation);
    }

    /** {@return a new operation, started} */
    final Flight start(Flight.Start how) {
        return flight().start(how);
    }

    /** Runs a task in another thread; the test fails if the task fails or does not end. */
    final <T> Future<T> inBackground(Callable<T> task) {
        Future<T> started = TestThreads.start(task);
        tasks.add(started);
        return started;
    }

    static <T> T finish(Future<T> task) throws Exception {
        return TestThreads.result(task, PATIENCE.toSeconds());
    }

    // Collecting

    /** Waits once, and passes the completions to their flights. */
    final int collect(long timeoutNanos) throws IOException {
        return collect(completions, timeoutNanos);
    }

    final int collect(Completions batch, long timeoutNanos) throws IOException {
        int count = demultiplexer.awaitCompletions(batch, timeoutNanos);
        assertEquals(count, batch.size(), "size of the batch");
        for (int i = 0; i < count; i++) {
            flightOf(batch.operation(i)).completed(batch, i);
        }
        return count;
    }

    /** Collects until a condition holds. Whatever fulfills it must end the wait, by a completion or a wake-up. */
    final void collectUntil(String what, BooleanSupplier condition) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            collect(Math.max(0, end - System.nanoTime()));
            assertTrue(System.nanoTime() - end < 0, () -> (condition.getAsBoolean()
                    ? "happened, and nothing has ended the wait: " : "did not happen: ") + what);
        }
    }

    /** {@return the result of a task that another thread runs while this one collects} */
    final <T> T collectDuring(Callable<T> task) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Future<T> running = inBackground(() -> {
            try {
                return task.call();
            } finally {
                over.set(true);
                demultiplexer.wakeUp();
            }
        });
        collectUntil("the end of the other thread's task", over::get);
        return finish(running);
    }

    /** Collects until all flights have had their last completion. */
    final void collectAll(Iterable<Flight> all) throws IOException {
        for (Flight flight : all) {
            collectUntil("the completion of " + flight, flight::isDone);
        }
    }

    /** Collects until the flight has completed. Returns the result of its last completion. */
    final long result(Flight flight) throws IOException {
        collectUntil("the completion of " + flight, flight::isDone);
        return flight.result();
    }

    /** Collects the available completions without waiting. */
    final void collectReady() throws IOException {
        while (collect(0) > 0) {
            Thread.onSpinWait();
        }
    }

    /** Asserts that there is no completion. */
    final void assertNoCompletion() throws IOException {
        assertEquals(0, collect(A_MOMENT), () -> "completed: " + completions.operation(0));
    }

    final void assertResult(long expected, Flight flight) throws IOException {
        long result = result(flight);
        assertEquals(expected, result, () -> result < 0 ? flight.operation().error(result).getMessage() : "" + flight);
    }

    final void assertFails(Errno expected, Flight flight) throws IOException {
        long result = result(flight);
        assertTrue(result < 0, () -> flight + " succeeds with " + result);
        assertEquals(expected, Errno.of(result), () -> flight.operation().error(result).getMessage());
    }

    final void assertCancelled(Flight flight) throws IOException {
        assertFails(Errno.ECANCELED, flight);
    }

    /** Collects the completion, which must be cancelled or successful. Returns whether it was cancelled. */
    final boolean isCancelled(Flight flight) throws IOException {
        long result = result(flight);
        assertTrue(result >= 0 || Errno.ECANCELED.is(result), () -> flight.operation().error(result).getMessage());
        return result < 0;
    }
}
