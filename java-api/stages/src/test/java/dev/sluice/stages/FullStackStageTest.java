package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.LeakChecked;
import dev.sluice.testing.Depth;
import dev.sluice.testing.FullStack;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A thread whose stack is full calls the queue of a stage with more and more stack left. Each call throws and has
 * changed nothing, or says what it has done: no place, no credit and no event is lost, and each accepted event is
 * released once.
 */
class FullStackStageTest extends LeakChecked {

    private static final int CAPACITY = 8;
    /** Frames of the recursion that are left again before the queue is called. */
    private static final int MAX_FRAMES = 64;
    private static final int STRIDE = Depth.times(16, 16, 4, 1);

    /** What is called, and how many of its two events the queue has accepted if it returns. */
    private enum Call {
        ENQUEUE {
            @Override
            int on(Scene scene) {
                return scene.queue.enqueue(scene.first) == EnqueueResult.ACCEPTED ? 1 : 0;
            }
        },
        ENQUEUE_PATIENTLY {
            @Override
            int on(Scene scene) throws InterruptedException {
                return scene.queue.enqueue(scene.first, Duration.ofSeconds(1)) == EnqueueResult.ACCEPTED ? 1 : 0;
            }
        },
        ENQUEUE_ALL {
            @Override
            int on(Scene scene) {
                return scene.queue.enqueueAll(scene.both) == EnqueueResult.ACCEPTED ? 2 : 0;
            }
        },
        PREPARE {
            @Override
            int on(Scene scene) {
                scene.prepared.close();
                scene.prepared = scene.queue.prepareAll(scene.both);
                return 0;
            }
        },
        COMMIT {
            @Override
            int on(Scene scene) {
                scene.prepared.commit();
                return 2;
            }
        },
        ABORT {
            @Override
            int on(Scene scene) {
                scene.prepared.close();
                return 0;
            }
        },
        NOTICE {
            @Override
            int on(Scene scene) {
                scene.queue.notifyWhenHalfEmpty(scene.notice);
                return 0;
            }
        },
        DRAIN {
            @Override
            int on(Scene scene) throws InterruptedException {
                scene.graph.drain(Duration.ZERO);
                return 0;
            }
        },
        THRESHOLD {
            @Override
            int on(Scene scene) {
                scene.stage.setThreshold(CAPACITY);
                return 0;
            }
        };

        // Calls nothing after the queue has returned.
        abstract int on(Scene scene) throws InterruptedException;
    }

    /** Counts how often it is released. */
    private static final class Event implements ReleasableEvent {

        final AtomicInteger releases = new AtomicInteger();

        @Override
        public void release() {
            releases.getAndIncrement();
        }
    }

    /** Takes whatever it gets. */
    private record Taking(boolean isExclusive, AtomicInteger ended) implements StageHandler<Event> {

        @Override
        public void handleEvents(EventBatch<Event> batch) {
            while (batch.next() != null) {
                ended.getAndIncrement();
            }
        }
    }

    /** A stage of one kind. */
    private static final class Scene implements AutoCloseable {

        final StageKind.Scene surroundings = new StageKind.Scene();
        final StageGraph graph = new StageGraph("graph of a test");
        final Taking handler;
        final Credits<Event> credits = new Credits<>(CAPACITY, event -> 1);
        final Stage<Event> stage;
        final EventQueue<Event> queue;
        final SpaceListener notice = new SpaceListener() {
            @Override
            protected void spaceAvailable() {
                // It is no longer awaited.
            }
        };
        Event first;
        List<Event> both;
        Reservation<Event> prepared;
        int accepted;

        Scene(StageKind kind, boolean admitting, boolean exclusive) throws IOException {
            StageOptions<Event> options = kind.options(surroundings);
            if (admitting) {
                options.admission(credits);
            }
            handler = new Taking(exclusive, new AtomicInteger());
            stage = graph.add("stage", Event.class, handler, options.capacity(CAPACITY));
            queue = stage.queue();
            graph.start();
        }

        void play(Call call, int frames) throws InterruptedException {
            first = new Event();
            both = List.of(first, new Event());
            prepared = queue.prepareAll(both);
            accepted = -1;
            long before = stage.accepted();
            FullStack.run(call.name(), EventLoopContract.LIMIT, () -> FullStack.callWithFramesLeft(frames,
                    () -> accepted = call.on(this)));
            prepared.close();
            assertDrained();
            int count = Math.max(0, accepted);
            assertEquals(before + count, stage.accepted());
            for (int i = 0; i < both.size(); i++) {
                assertEquals(i < count ? 1 : 0, both.get(i).releases.get(), "releases of event " + i);
            }
        }

        private void assertDrained() throws InterruptedException {
            assertTrue(graph.drain(EventLoopContract.LIMIT), () -> "not drained: " + graph.accounts());
            assertEquals(0, queue.length());
            assertEquals(CAPACITY, credits.available());
            OtherThread.await(() -> !queue.hasWaiters());
        }

        /** Fails unless all places are free, and events are handled. */
        void assertWorks() throws InterruptedException {
            long failed = stage.failed();
            int before = handler.ended.get();
            List<Event> events = IntStream.range(0, CAPACITY).mapToObj(i -> new Event()).toList();
            assertEquals(EnqueueResult.ACCEPTED, queue.enqueueAll(events));
            assertDrained();
            assertEquals(before + CAPACITY, handler.ended.get());
            assertEquals(failed, stage.failed());
            events.forEach(event -> assertEquals(1, event.releases.get()));
        }

        @Override
        public void close() throws Exception {
            assertTrue(graph.stop(EventLoopContract.LIMIT).isDrained(), () -> graph.accounts().toString());
            surroundings.close();
        }
    }

    static Stream<Arguments> stages(TestInfo test) {
        return StageKind.availableFor(test).flatMap(kind -> Stream.of(true, false)
                .flatMap(admitting -> Stream.of(true, false)
                        .map(exclusive -> Arguments.of(kind, admitting, exclusive))));
    }

    @ParameterizedTest
    @MethodSource("stages")
    void noPlaceAndNoEventIsLost(StageKind kind, boolean admitting, boolean exclusive) throws Exception {
        for (Call call : Call.values()) {
            try (Scene scene = new Scene(kind, admitting, exclusive)) {
                for (int frames : FullStack.frames(MAX_FRAMES, STRIDE, kind, admitting, exclusive, call).toArray()) {
                    try {
                        scene.play(call, frames);
                        scene.assertWorks();
                    } catch (Throwable e) {
                        throw new AssertionError(call + " with " + frames + " frames left", e);
                    }
                }
            }
        }
    }

    /** Fails after it has counted, as if it had run out of stack there. */
    private record Miscounting(AtomicInteger left) implements Admission<Event> {

        @Override
        public boolean admit(Event event, int length) {
            return true;
        }

        @Override
        public void onDone(Event event) {
            left.getAndIncrement();
            throw new StackOverflowError("thrown by the test");
        }
    }

    @Test
    void anAdmissionIsNotifiedOnceOfEachEventThatLeaves() throws Exception {
        Miscounting admission = new Miscounting(new AtomicInteger());
        try (StageGraph graph = new StageGraph("graph of a test")) {
            Stage<Event> stage = graph.add("stage", Event.class, new Taking(true, new AtomicInteger()),
                    new StageOptions<Event>().direct().admission(admission));
            graph.start();
            assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueueAll(List.of(new Event(), new Event())));
            assertTrue(graph.drain(EventLoopContract.LIMIT), () -> "not drained: " + graph.accounts());
            assertEquals(2, admission.left.get());
        }
    }

    @Test
    void aCreditComesBackUnlessTheCallThrows() throws Exception {
        Credits<Object> credits = new Credits<>(CAPACITY, event -> 1);
        boolean[] returned = new boolean[1];
        for (int frames = 0; frames < MAX_FRAMES; frames++) {
            int left = frames;
            int before = credits.available();
            returned[0] = false;
            FullStack.run("leave", EventLoopContract.LIMIT, () -> FullStack.callWithFramesLeft(left, () -> {
                credits.onDone(returned);
                returned[0] = true;
            }));
            assertEquals(returned[0] ? before + 1 : before, credits.available(), frames + " frames left");
        }
    }

    /** No thread enqueues or drains after it: the graph's own thread makes the stage handle the event. */
    @Test
    void whatWasAcceptedIsHandledWithoutAnotherCall() throws Exception {
        try (Scene scene = new Scene(StageKind.DIRECT, false, true)) {
            for (int frames = 0; frames < MAX_FRAMES; frames += Depth.times(8, 4, 1, 1)) {
                Event event = new Event();
                int left = frames;
                scene.accepted = 0;
                FullStack.run("enqueue", EventLoopContract.LIMIT, () -> FullStack.callWithFramesLeft(left,
                        () -> scene.accepted = scene.queue.enqueue(event) == EnqueueResult.ACCEPTED ? 1 : 0));
                OtherThread.await(() -> event.releases.get() == scene.accepted
                        && scene.stage.completed() == scene.stage.accepted());
            }
        }
    }
}
