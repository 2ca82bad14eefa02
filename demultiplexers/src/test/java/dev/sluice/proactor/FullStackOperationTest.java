package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.handle.LeakChecked;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.Depth;
import dev.sluice.testing.FullStack;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A hook whose stack is full asks for operations: none is claimed that is never started. */
class FullStackOperationTest extends LeakChecked {

    private static final int MAX_FRAMES = 100;
    private static final int STEP = Depth.times(20, 4, 1);
    private static final int ROUNDS = Depth.times(1, 2, 10);
    /** More than can be in flight at once. */
    private static final int FEW = 4;

    private final AtomicInteger made = new AtomicInteger();
    private int completed;
    private final CompletionHandler handler = completion -> completed++;

    static Stream<String> demultiplexers(TestInfo test) {
        return HandleSet.ofProactors(test).map(HandleSet::demultiplexer);
    }

    @ParameterizedTest
    @MethodSource("demultiplexers")
    void claimedOperationIsStarted(String name) throws Exception {
        FullStack.run(name, EventLoopContract.LIMIT.multipliedBy(2), () -> {
            try (Proactor proactor = Proactors.on(counting(OpenedDemultiplexers.openAsynchronous(name)),
                    TimerQueue.heap())) {
                for (int i = 0; i < ROUNDS * MAX_FRAMES; i++) {
                    int frames = i % MAX_FRAMES;
                    proactor.execute(() -> FullStack.callWithFramesLeft(frames, () -> proactor.post(handler, null, 0)));
                    proactor.runOnce(Duration.ZERO);
                    settle(proactor);
                }
            }
        });
        assertTrue(made.get() <= FEW, () -> made + " operations were made");
    }

    /** What is done with a stream. */
    @FunctionalInterface
    private interface Use {
        void of(Proactor proactor, AsyncStream stream) throws IOException;
    }

    @ParameterizedTest
    @MethodSource("demultiplexers")
    void claimedOperationOfAHandleIsStarted(String name) throws Exception {
        useWithFramesLeft(name, (proactor, stream) -> stream.poll(Interest.WRITE, null), (proactor, stream) -> {
            completeAll(proactor);
            int before = made.get();
            stream.poll(Interest.WRITE, null);
            completeAll(proactor);
            assertEquals(before, made.get(), "an operation was lost");
        });
    }

    /** It may be in flight, and its handle with it. */
    @ParameterizedTest
    @MethodSource("demultiplexers")
    void interruptedStartCompletes(String name) throws Exception {
        useWithFramesLeft(name, (proactor, stream) -> stream.receive(ByteBuffer.allocateDirect(1), null),
                (proactor, stream) -> {
                    for (int i = 0; i < FEW; i++) {
                        stream.receive(ByteBuffer.allocateDirect(1), null);
                    }
                    stream.cancel();
                    completeAll(proactor);
                });
    }

    /** The second receive waits for the first, so its cancellation completes it at once, in the hook. */
    @ParameterizedTest
    @MethodSource("demultiplexers")
    void cancellationIsDoneOrRefused(String name) throws Exception {
        for (int frames = 0; frames < MAX_FRAMES; frames += STEP) {
            int left = frames;
            FullStack.run(name + " with " + frames + " frames left", EventLoopContract.LIMIT.multipliedBy(2),
                    () -> cancelWithFramesLeft(name, left));
        }
    }

    private void cancelWithFramesLeft(String name, int frames) throws IOException {
        try (Connection connection = Connection.unix();
                Proactor proactor = Proactors.on(OpenedDemultiplexers.openAsynchronous(name), TimerQueue.heap())) {
            AsyncStream stream = new AsyncStream(proactor, connection.near(), handler);
            for (int i = 0; i < ROUNDS; i++) {
                proactor.execute(() -> {
                    long first = stream.receive(ByteBuffer.allocateDirect(1), null);
                    long second = stream.receive(ByteBuffer.allocateDirect(1), null);
                    FullStack.callWithFramesLeft(frames, () -> stream.cancel(second));
                    stream.cancel(second);
                    stream.cancel(first);
                });
                // Throws if a change has been interrupted.
                proactor.runOnce(Duration.ZERO);
                completeAll(proactor);
            }
        }
    }

    private void useWithFramesLeft(String name, Use fullStack, Use afterwards) throws Exception {
        for (int frames = 0; frames < MAX_FRAMES; frames += STEP) {
            int left = frames;
            FullStack.run(name + " with " + frames + " frames left", EventLoopContract.LIMIT.multipliedBy(2),
                    () -> use(name, left, fullStack, afterwards));
        }
    }

    private void use(String name, int frames, Use fullStack, Use afterwards) throws IOException {
        try (Connection connection = Connection.unix();
                Proactor proactor = Proactors.on(counting(OpenedDemultiplexers.openAsynchronous(name)),
                        TimerQueue.heap())) {
            AsyncStream stream = new AsyncStream(proactor, connection.near(), handler);
            stream.poll(Interest.WRITE, null);
            completeAll(proactor);
            proactor.execute(() -> FullStack.callWithFramesLeft(frames, () -> fullStack.of(proactor, stream)));
            proactor.runOnce(Duration.ZERO);
            afterwards.of(proactor, stream);
        } catch (Error e) {
            // The loop says why it does not go on.
            if (!(e instanceof StackOverflowError) && !(e.getCause() instanceof StackOverflowError)) {
                throw e;
            }
        }
    }

    private static void completeAll(Proactor proactor) throws IOException {
        while (proactor.demultiplexer.inFlight() > 0) {
            try {
                proactor.runOnce(Duration.ofSeconds(1));
            } catch (StackOverflowError e) {
                // As above.
                continue;
            }
        }
    }

    /** Everything before has completed when this has. */
    private void settle(Proactor proactor) throws IOException {
        int before = completed;
        proactor.post(handler, null, 0);
        while (completed == before) {
            try {
                proactor.runOnce(Duration.ofSeconds(1));
            } catch (StackOverflowError e) {
                // Of an operation that was about to be started. Told once.
                continue;
            }
        }
    }

    private AsynchronousEventDemultiplexer counting(AsynchronousEventDemultiplexer real) {
        return (AsynchronousEventDemultiplexer) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {AsynchronousEventDemultiplexer.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("newOperation")) {
                        made.incrementAndGet();
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
