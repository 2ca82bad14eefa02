package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.OneHandleHandler;
import dev.sluice.reactor.Registration;
import dev.sluice.testing.Depth;
import dev.sluice.testing.FullStack;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A task or a hook of a pool recurses until its stack is full, and then calls the pool with more and more stack left.
 * Afterwards tasks, timers and events are dispatched, whichever thread leads, and the pool can be closed.
 */
class FullStackPoolTest extends LeakChecked {

    private static final long STACK_BYTES = 256 * 1024;
    private static final int THREADS = 2;
    /** Frames of the recursion that are left again before the pool is called. */
    private static final int MAX_FRAMES = 200;
    private static final int STRIDE = Depth.times(50, 40, 10, 1);

    /** What is called. */
    private enum Call {
        EXECUTE {
            @Override
            void on(Scene scene) {
                scene.pool.execute(() -> { });
            }
        },
        SCHEDULE {
            @Override
            void on(Scene scene) {
                scene.pool.schedule(token -> { }, null, Duration.ofMillis(1));
                scene.pool.schedule(token -> { }, null, Duration.ofDays(1)).cancel();
            }
        },
        JOIN {
            @Override
            void on(Scene scene) throws IOException {
                scene.pool.join(Duration.ZERO);
            }
        },
        PROMOTE {
            @Override
            void on(Scene scene) {
                scene.pool.promoteNewLeader();
            }
        },
        CHANGE_EVENTS {
            @Override
            void on(Scene scene) {
                scene.handler.registration().interest(Interest.READ_WRITE);
                scene.handler.registration().interest(Interest.READ);
            }
        },
        DEACTIVATE {
            @Override
            void on(Scene scene) {
                scene.handler.registration().pause();
                scene.handler.registration().resume();
            }
        },
        ANOTHER_HANDLE {
            @Override
            void on(Scene scene) throws IOException {
                scene.pool.register(scene.another.near().handle(), Interest.READ, scene.handler).close();
            }
        };

        abstract void on(Scene scene) throws IOException;
    }

    /** A pool with threads of little stack, and a connection on which bytes come. */
    private static final class Scene implements AutoCloseable {

        final LeaderFollowersPool pool;
        final Connection connection = Connection.unix();
        final Connection another = Connection.unix();
        final AtomicInteger received = new AtomicInteger();
        final OneHandleHandler handler = new OneHandleHandler() {
            @Override
            public Handle handle() {
                return connection.near().handle();
            }

            @Override
            public void handleInput(Registration registration) throws IOException {
                received.addAndGet(Math.max(0, connection.near().receive(ByteBuffer.allocate(64))));
                Runnable hook = inHook.poll();
                if (hook != null) {
                    hook.run();
                }
            }

            @Override
            public void handleOutput(Registration registration) {
                // It is asked for a moment only.
            }

            @Override
            public void handleClose(Registration registration) {
                // It is registered again.
            }
        };
        final Queue<Runnable> inHook = new ConcurrentLinkedQueue<>();
        private final List<Thread> threads = new ArrayList<>();
        private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

        Scene(HandleSet set, PromotionOrder order) throws IOException {
            pool = LeaderFollowersPool.open(set.demultiplexer(), order, set.isConcurrent());
            handler.register(pool, Interest.READ);
            for (int i = 0; i < THREADS; i++) {
                Thread thread = new Thread(null, this::join, "little stack " + i, STACK_BYTES);
                thread.setDaemon(true);
                threads.add(thread);
                thread.start();
            }
        }

        private void join() {
            while (!pool.isClosed()) {
                try {
                    pool.join();
                } catch (StackOverflowError e) {
                    // Such as of a wake-up that had to be passed on.
                    continue;
                } catch (Throwable e) {
                    failures.add(e);
                    return;
                }
            }
        }

        /** Fails unless tasks, timers and events still come. */
        void assertWorks() throws IOException {
            CountDownLatch ran = new CountDownLatch(2);
            int before = received.get();
            pool.execute(ran::countDown);
            pool.schedule(token -> ran.countDown(), null, Duration.ZERO);
            // What was interrupted may have left it deactivated or not registered.
            register();
            connection.send("x");
            OtherThread.await(ran);
            OtherThread.await(() -> received.get() > before);
            assertEquals(List.of(), List.copyOf(failures));
        }

        private void register() throws IOException {
            if (handler.registration().isOpen()) {
                handler.registration().resume();
                handler.registration().interest(Interest.READ);
            } else {
                handler.register(pool, Interest.READ);
            }
        }

        @Override
        public void close() {
            try {
                pool.close();
                threads.forEach(OtherThread::awaitEnd);
            } finally {
                connection.close();
                another.close();
            }
        }
    }

    static Stream<Arguments> pools(TestInfo test) {
        return HandleSet.ofPools(test).flatMap(set -> Stream.of(PromotionOrder.values())
                .map(order -> Arguments.of(set, order)));
    }

    @ParameterizedTest
    @MethodSource("pools")
    void poolWorksAfterwards(HandleSet set, PromotionOrder order) throws Exception {
        for (Call call : Call.values()) {
            try (Scene scene = new Scene(set, order)) {
                for (int frames : FullStack.frames(MAX_FRAMES, STRIDE, set, order, call).toArray()) {
                    play(scene, call, frames, false);
                    play(scene, call, frames, true);
                }
            }
        }
    }

    private static void play(Scene scene, Call call, int frames, boolean inHook) throws IOException {
        CountDownLatch done = new CountDownLatch(1);
        Runnable recursion = () -> {
            try {
                FullStack.callWithFramesLeft(frames, () -> call.on(scene));
            } finally {
                done.countDown();
            }
        };
        if (inHook) {
            scene.inHook.add(recursion);
            scene.connection.send("x");
        } else {
            scene.pool.execute(recursion);
        }
        try {
            OtherThread.await(done);
            scene.assertWorks();
        } catch (AssertionError e) {
            throw new AssertionError(call + " with " + frames + " frames left, " + (inHook ? "hook" : "task"), e);
        }
    }
}
