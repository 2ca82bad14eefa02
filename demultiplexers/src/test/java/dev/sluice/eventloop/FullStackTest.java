package dev.sluice.eventloop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.handle.Handle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.OneHandleHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import dev.sluice.testing.Depth;
import dev.sluice.testing.FullStack;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A task recurses until its stack is full, and then calls the library with more and more stack left. Afterwards the
 * loop works, or it says why it does not; it never waits for what cannot come.
 */
class FullStackTest extends LeakChecked {

    /** Frames of the recursion that are left again before the library is called. */
    private static final int MAX_FRAMES = 200;
    /** More than there are operations. */
    private static final int MAX_FAILURES = 10;
    private static final int STRIDE = Depth.times(20, 16, 4, 1);

    /** What is called. */
    private enum Call {
        EXECUTE {
            @Override
            void on(Scene scene) {
                scene.loop.execute(() -> { });
            }
        },
        SCHEDULE {
            @Override
            void on(Scene scene) {
                scene.loop.schedule(token -> { }, null, Duration.ofMillis(1));
                scene.loop.schedule(token -> { }, null, Duration.ofDays(1)).cancel();
            }
        },
        HANDLE_EVENTS {
            @Override
            void on(Scene scene) throws IOException {
                scene.loop.runOnce(Duration.ZERO);
            }
        },
        STREAM {
            @Override
            void on(Scene scene) throws IOException {
                scene.useStream();
            }
        },
        ANOTHER_HANDLE {
            @Override
            void on(Scene scene) throws IOException {
                scene.useAnother();
            }
        };

        abstract void on(Scene scene) throws IOException;
    }

    /** A loop with a connection on which bytes come. */
    private abstract static class Scene implements AutoCloseable {

        final EventLoop loop;
        final Connection connection;
        final Connection another;
        final ByteBuffer room = ByteBuffer.allocateDirect(64);
        final ByteBuffer one = ByteBuffer.allocateDirect(1);
        int received;
        private boolean executed;

        Scene(EventLoop loop) throws IOException {
            this.loop = loop;
            connection = Connection.unix();
            another = Connection.unix();
        }

        abstract void useStream() throws IOException;

        abstract void useAnother() throws IOException;

        /** Sees to it that bytes are received. */
        abstract void receive() throws IOException;

        /** Whether tasks, timers and bytes still come. */
        final boolean works() throws IOException {
            executed = false;
            boolean[] expired = {false};
            int before = received;
            loop.execute(() -> executed = true);
            loop.schedule(token -> expired[0] = true, null, Duration.ZERO);
            receive();
            connection.send("x");
            for (long end = System.nanoTime() + EventLoopContract.LIMIT.toNanos();
                    System.nanoTime() - end < 0 && !(executed && expired[0] && received > before);) {
                loop.runOnce(Duration.ofSeconds(1));
            }
            return executed && expired[0] && received > before;
        }

        @Override
        public final void close() {
            try {
                loop.close();
            } finally {
                connection.close();
                another.close();
            }
        }
    }

    private static final class Readiness extends Scene {

        private final Reactor reactor;
        private final OneHandleHandler handler = new OneHandleHandler() {
            @Override
            public Handle handle() {
                return connection.near().handle();
            }

            @Override
            public void handleInput(Registration registration) throws IOException {
                received += Math.max(0, connection.near().receive(room.clear()));
            }

            @Override
            public void handleOutput(Registration registration) {
                registration.interest(Interest.READ);
            }

            @Override
            public void handleClose(Registration registration) {
                // It is registered again.
            }
        };

        Readiness(String demultiplexer) throws IOException {
            super(Reactor.open(demultiplexer));
            reactor = (Reactor) loop;
        }

        @Override
        void useStream() throws IOException {
            handler.registration().interest(Interest.READ_WRITE);
            connection.near().send(one.clear());
        }

        @Override
        void useAnother() throws IOException {
            reactor.register(another.near().handle(), Interest.READ, handler).close();
        }

        @Override
        void receive() throws IOException {
            if (!handler.isRegistered()) {
                handler.register(reactor, Interest.READ);
            } else {
                handler.registration().interest(Interest.READ);
            }
        }
    }

    private static final class Completions extends Scene {

        private final Proactor proactor;
        private final CompletionHandler handler = new CompletionHandler() {
            @Override
            public void handleCompletion(Completion completion) {
                received += completion.isSuccess() ? (int) completion.result() : 0;
            }
        };
        private final AsyncStream stream;

        Completions(String demultiplexer) throws IOException {
            super(Proactor.open(demultiplexer));
            proactor = (Proactor) loop;
            stream = new AsyncStream(proactor, connection.near(), handler);
        }

        @Override
        void useStream() {
            stream.send(ByteBuffer.allocateDirect(1), null);
            stream.cancel(stream.receive(ByteBuffer.allocateDirect(1), null));
        }

        @Override
        void useAnother() throws IOException {
            new AsyncStream(proactor, another.near(), handler).receive(ByteBuffer.allocateDirect(1), null);
        }

        @Override
        void receive() {
            stream.receive(room.clear(), null);
        }
    }

    static Stream<Arguments> calls(TestInfo test) {
        return Stream.concat(HandleSet.ofReactors(test).map(HandleSet::demultiplexer).distinct()
                        .flatMap(name -> each(Mode.SYNCHRONOUS, name)),
                HandleSet.ofProactors(test).map(HandleSet::demultiplexer).distinct()
                        .flatMap(name -> each(Mode.ASYNCHRONOUS, name)));
    }

    private static Stream<Arguments> each(Mode mode, String name) {
        return Stream.of(Call.values()).map(call -> Arguments.of(mode, name, call));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void loopWorksOrSaysWhyNot(Mode mode, String demultiplexer, Call call) throws Exception {
        for (int frames : FullStack.frames(MAX_FRAMES, STRIDE, mode, demultiplexer, call).toArray()) {
            FullStack.run(call + " on " + demultiplexer + " with " + frames + " frames left",
                    EventLoopContract.LIMIT.multipliedBy(2), () -> play(mode, demultiplexer, call, frames));
        }
    }

    private static void play(Mode mode, String demultiplexer, Call call, int frames) throws IOException {
        try (Scene scene = mode == Mode.SYNCHRONOUS ? new Readiness(demultiplexer) : new Completions(demultiplexer)) {
            assertTrue(scene.works());
            scene.loop.execute(() -> FullStack.callWithFramesLeft(frames, () -> call.on(scene)));
            assertTrue(worksInTheEnd(scene), "does not work");
        } catch (Error e) {
            // The close tells what no wait has told.
            if (!(e instanceof StackOverflowError) && !(e.getCause() instanceof StackOverflowError)) {
                throw e;
            }
        }
    }

    /** An exception thrown for an operation is reported once, by a later wait. */
    private static boolean worksInTheEnd(Scene scene) throws IOException {
        for (int failures = 0; failures < MAX_FAILURES; failures++) {
            try {
                return scene.works();
            } catch (StackOverflowError e) {
                // Told.
                continue;
            }
        }
        return false;
    }
}
