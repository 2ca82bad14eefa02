package dev.sluice.stage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.LeakChecked;
import dev.sluice.testing.Depth;
import dev.sluice.testing.FullStack;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A thread whose stack is full calls the queue of a stage with more and more stack left. Each event is accepted or not,
 * and no place of the queue is lost: whatever was accepted is handled, and so is what comes afterwards.
 */
class FullStackStageTest extends LeakChecked {

    private static final int CAPACITY = 8;
    /** Frames of the recursion that are left again before the queue is called. */
    private static final int MOST_FRAMES = 64;
    private static final int STEP = Depth.times(16, 2, 1);

    /** What is called. */
    private enum Call {
        ENQUEUE {
            @Override
            void on(Scene scene) {
                scene.queue.enqueue(0);
            }
        },
        ENQUEUE_PATIENTLY {
            @Override
            void on(Scene scene) throws InterruptedException {
                scene.queue.enqueue(0, Duration.ofSeconds(1));
            }
        },
        ENQUEUE_ALL {
            @Override
            void on(Scene scene) {
                scene.queue.enqueueAll(List.of(0, 0));
            }
        },
        COMMIT {
            @Override
            void on(Scene scene) {
                scene.prepared.commit();
            }
        },
        ABORT {
            @Override
            void on(Scene scene) {
                scene.prepared.close();
            }
        },
        NOTICE {
            @Override
            void on(Scene scene) {
                scene.queue.tellWhenHalfEmpty(scene.notice);
            }
        },
        DRAIN {
            @Override
            void on(Scene scene) throws InterruptedException {
                scene.graph.drain(Duration.ZERO);
            }
        },
        THRESHOLD {
            @Override
            void on(Scene scene) {
                scene.stage.setThreshold(CAPACITY);
            }
        };

        abstract void on(Scene scene) throws InterruptedException;
    }

    /** A stage of one kind, that takes whatever it gets. */
    private static final class Scene implements AutoCloseable {

        final StageKind.Scene surroundings = new StageKind.Scene();
        final StageGraph graph = new StageGraph("graph of a test");
        final AtomicInteger handled = new AtomicInteger();
        final AtomicInteger notices = new AtomicInteger();
        final Stage<Integer> stage;
        final EventQueue<Integer> queue;
        final RoomNotice notice = new RoomNotice() {
            @Override
            protected void roomAgain() {
                notices.incrementAndGet();
            }
        };
        Preparation<Integer> prepared;

        Scene(StageKind kind, boolean admitting) throws IOException {
            StageOptions<Integer> options = kind.options(surroundings);
            if (admitting) {
                options.admission((event, length) -> true);
            }
            stage = graph.add("stage", Integer.class, batch -> {
                while (batch.next() != null) {
                    handled.incrementAndGet();
                }
            }, options.capacity(CAPACITY));
            queue = stage.queue();
            graph.start();
        }

        /** Fails unless all places are free, and events are handled. */
        void assertWorks() throws InterruptedException {
            prepared.close();
            int before = handled.get();
            assertEquals(Outcome.ACCEPTED, queue.enqueueAll(Collections.nCopies(CAPACITY, 1)));
            assertTrue(graph.drain(EventLoopContract.LIMIT), () -> "not drained: " + graph.accounts());
            assertEquals(before + CAPACITY, handled.get());
            assertEquals(0, queue.length());
            OtherThread.await(() -> !queue.isAwaited());
        }

        @Override
        public void close() throws Exception {
            assertTrue(graph.stop(EventLoopContract.LIMIT).isDrained(), () -> graph.accounts().toString());
            surroundings.close();
        }
    }

    static Stream<Arguments> stages(TestInfo test) {
        return StageKind.availableFor(test).flatMap(kind -> Stream.of(true, false)
                .map(admitting -> Arguments.of(kind, admitting)));
    }

    @ParameterizedTest
    @MethodSource("stages")
    void noPlaceAndNoEventIsLost(StageKind kind, boolean admitting) throws Exception {
        for (Call call : Call.values()) {
            try (Scene scene = new Scene(kind, admitting)) {
                for (int frames = 0; frames < MOST_FRAMES; frames += STEP) {
                    try {
                        play(scene, call, frames);
                    } catch (Throwable e) {
                        throw new AssertionError(call + " with " + frames + " frames left", e);
                    }
                }
            }
        }
    }

    private static void play(Scene scene, Call call, int frames) throws Throwable {
        scene.prepared = scene.queue.prepare(2);
        FullStack.run(call.name(), EventLoopContract.LIMIT,
                () -> FullStack.callWithFramesLeft(frames, () -> call.on(scene)));
        // What was accepted is handled without another event.
        scene.prepared.close();
        assertTrue(scene.graph.drain(EventLoopContract.LIMIT), () -> "not drained: " + scene.graph.accounts());
        scene.assertWorks();
    }
}
