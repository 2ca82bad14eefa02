package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.testing.Depth;
import dev.sluice.testing.FullStack;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Stages that lead to each other. */
@Tag(Depth.IN_QUICK)
class StageGraphTest {

    private static final Duration LIMIT = EventLoopContract.LIMIT;

    /** More stages than a thread with little stack has frames. */
    private static final int MANY = Depth.times(3_000, 3_000, 10_000, 10_000);

    private final StageGraph graph = new StageGraph("graph of a test");
    private final List<String> stops = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void stop() {
        graph.stop(LIMIT);
    }

    /** Passes each event on to some other stages. */
    private class Passing implements StageHandler<Integer> {

        private final String[] targets;
        private final List<EventQueue<Integer>> queues = new ArrayList<>();
        private StageContext context;

        Passing(String... targets) {
            this.targets = targets;
        }

        @Override
        public void handleStart(StageContext surroundings) {
            context = surroundings;
            for (String target : targets) {
                queues.add(context.queue(target, Integer.class));
            }
        }

        @Override
        public void handleEvents(EventBatch<Integer> batch) throws InterruptedException {
            for (Integer event = batch.next(); event != null; event = batch.next()) {
                for (EventQueue<Integer> queue : queues) {
                    pass(event, queue);
                }
            }
        }

        void pass(int event, EventQueue<Integer> queue) throws InterruptedException {
            assertEquals(EnqueueResult.ACCEPTED, queue.enqueue(event, LIMIT));
        }

        @Override
        public void handleStop() {
            stops.add(context.stage().name());
        }
    }

    private Stage<Integer> add(String name, String... targets) {
        return graph.add(name, Integer.class, new Passing(targets));
    }

    private Stage<Integer> addDirect(String name, String... targets) {
        return graph.add(name, Integer.class, new Passing(targets), new StageOptions<Integer>().direct());
    }

    /**
     * {@return the number of events that have passed from one stage, or from outside, to another; 0 if there is no
     * edge}
     */
    static long accepted(StageGraph graph, String from, String to) {
        return graph.edgeAccounts().stream()
                .filter(edge -> Objects.equals(edge.source(), from) && edge.target().equals(to))
                .mapToLong(EdgeAccount::accepted).sum();
    }

    @Test
    void stopsInTheOrderOfTheEdges() {
        add("last");
        add("second", "last", "third");
        add("third", "last");
        Stage<Integer> first = add("first", "second");
        graph.start();
        for (int i = 0; i < 1000; i++) {
            first.queue().enqueue(i);
        }
        StopReport report = graph.stop(LIMIT);
        assertTrue(report.isDrained(), report::toString);
        assertEquals(List.of("first", "second", "third", "last"), stops);
        assertEquals(stops, report.stages().stream().map(StageAccount::stage).toList());
        assertEquals(2 * first.accepted(), accepted(graph, "second", "last") + accepted(graph, "third", "last"));
        assertEquals(first.accepted(), accepted(graph, null, "first"));
        assertEquals(0, accepted(graph, "first", "last"));
    }

    /** What has been done is not done again, and what has not been done is. */
    @Test
    void stopGoesOnWhereThereWasNoMemory() {
        OutOfMemoryError lack = new OutOfMemoryError("thrown by the test");
        add("first", "poor");
        graph.add("poor", Integer.class, new Passing("last") {
            private int stopped;

            @Override
            public void handleStop() {
                super.handleStop();
                if (stopped++ < 2) {
                    throw lack;
                }
            }
        });
        add("last");
        graph.start();
        assertSame(lack, assertThrows(OutOfMemoryError.class, () -> graph.stop(LIMIT)));
        assertEquals(List.of("first", "poor", "last"), stops);
        assertThrows(OutOfMemoryError.class, graph::close);
        StopReport report = graph.stop(LIMIT);
        assertEquals(List.of("first", "poor", "last", "poor", "poor"), stops);
        assertEquals(List.of("first", "poor", "last"), report.stages().stream().map(StageAccount::stage).toList());
        assertSame(report, graph.stop(LIMIT));
        assertEquals(5, stops.size());
    }

    /** Only handlers that have been started are notified of the stop. */
    @Test
    void startThatFailsWithoutMemoryIsStopped() {
        add("first");
        graph.add("poor", Integer.class, new Passing() {
            private boolean poor;

            @Override
            public void handleStart(StageContext surroundings) {
                super.handleStart(surroundings);
                poor = true;
                throw new OutOfMemoryError("thrown by the test");
            }

            @Override
            public void handleStop() {
                super.handleStop();
                if (poor) {
                    poor = false;
                    throw new OutOfMemoryError("also thrown by the test");
                }
            }
        });
        add("never");
        IllegalStateException failure = assertThrows(IllegalStateException.class, graph::start);
        assertEquals("thrown by the test", failure.getCause().getMessage());
        assertEquals("also thrown by the test", failure.getSuppressed()[0].getMessage());
        graph.stop(LIMIT);
        assertEquals(List.of("first", "poor", "poor"), stops);
    }

    /** They neither fill the stack of the thread that stops them, nor take time that grows faster than they. */
    @Test
    void longChainStops() throws InterruptedException {
        int count = MANY;
        for (int i = 1; i < count; i++) {
            addDirect(String.valueOf(i), String.valueOf(i - 1));
        }
        addDirect("0");
        graph.start();
        stopWithLittleStack();
        assertEquals(IntStream.range(0, count).mapToObj(i -> String.valueOf(count - 1 - i)).toList(), stops);
    }

    @Test
    void longCircleOfAPoolStops() throws InterruptedException {
        int count = MANY;
        try (StagePool pool = new StagePool("pool of a test", 1)) {
            for (int i = 0; i < count; i++) {
                graph.add(String.valueOf(i), Integer.class, new Passing(String.valueOf((i + 1) % count)),
                        new StageOptions<Integer>().pool(pool));
            }
            graph.start();
            stopWithLittleStack();
        }
        assertEquals(IntStream.range(0, count).mapToObj(String::valueOf).toList(), stops);
    }

    private void stopWithLittleStack() throws InterruptedException {
        FullStack.run("stop", LIMIT.multipliedBy(2), () -> assertTrue(graph.stop(LIMIT).isDrained()));
    }

    @Test
    void stagesInACircleStopTogetherAndAfterThoseThatLeadToThem() {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            int count = 1 + random.nextInt(8);
            boolean[][] leads = new boolean[count][count];
            StageGraph some = new StageGraph("some graph of a test");
            for (int i = 0; i < count; i++) {
                List<String> targets = new ArrayList<>();
                for (int j = 0; j < count; j++) {
                    leads[i][j] = random.nextInt(count) == 0;
                    if (leads[i][j]) {
                        targets.add(String.valueOf(j));
                    }
                }
                some.add(String.valueOf(i), Integer.class, new Passing(targets.toArray(String[]::new)));
            }
            stops.clear();
            some.start();
            some.stop(LIMIT);
            assertOrdered(leads, stops.stream().map(Integer::valueOf).toList());
        }
        stops.clear();
    }

    private static void assertOrdered(boolean[][] leads, List<Integer> stopped) {
        int count = leads.length;
        assertEquals(count, Set.copyOf(stopped).size());
        for (int via = 0; via < count; via++) {
            for (int i = 0; i < count; i++) {
                for (int j = 0; j < count; j++) {
                    leads[i][j] |= leads[i][via] && leads[via][j];
                }
            }
        }
        for (int i = 1; i < count; i++) {
            int before = stopped.get(i - 1);
            int after = stopped.get(i);
            boolean together = leads[before][after] && leads[after][before];
            for (int j = i; j < count; j++) {
                int later = stopped.get(j);
                boolean circle = leads[before][later] && leads[later][before];
                // A circle comes in the order in which its stages were added, with nothing in between.
                assertTrue(circle ? together && before < later : !leads[later][before],
                        () -> stopped + " of " + Arrays.deepToString(leads));
            }
        }
    }

    @Test
    void stagesWithoutEdgesStopInTheOrderInWhichTheyWereAdded() {
        add("a");
        add("b");
        add("c");
        graph.start();
        graph.stop(LIMIT);
        assertEquals(List.of("a", "b", "c"), stops);
    }

    @Test
    void drainsACircle() {
        Stage<Integer> down = graph.add("down", Integer.class, new Passing("up", "end") {
            @Override
            void pass(int event, EventQueue<Integer> queue) throws InterruptedException {
                boolean isEnd = queue.toString().endsWith("end");
                if (isEnd == (event == 0)) {
                    super.pass(event, queue);
                }
            }
        });
        graph.add("up", Integer.class, new Passing("down") {
            @Override
            void pass(int event, EventQueue<Integer> queue) throws InterruptedException {
                super.pass(event - 1, queue);
            }
        });
        Stage<Integer> end = add("end");
        graph.start();
        for (int i = 0; i < 20; i++) {
            assertEquals(EnqueueResult.ACCEPTED, down.queue().enqueue(500));
        }
        StopReport report = graph.stop(LIMIT);
        assertTrue(report.isDrained(), report::toString);
        assertEquals(20, end.handled());
        assertEquals(20 * 501, down.handled());
        assertEquals(List.of("down", "up", "end"), stops);
    }

    @Test
    void isDrainedOnlyIfAllStagesAreIdle() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        Stage<Integer> first = add("first", "second");
        graph.add("second", Integer.class, batch -> {
            OtherThread.await(open);
            batch.next();
        });
        graph.start();
        first.queue().enqueue(1);
        OtherThread.await(() -> accepted(graph, "first", "second") == 1);
        assertEquals(false, graph.drain(Duration.ZERO));
        OtherThread<Boolean> drain = OtherThread.start(() -> graph.drain(LIMIT));
        open.countDown();
        assertTrue(drain.result());
    }

    @Test
    void waitsForWorkThatWasAnnounced() throws Exception {
        Passing passing = new Passing("itself");
        Stage<Integer> itself = graph.add("itself", Integer.class, new Passing("end"));
        add("end");
        graph.add("asking", Integer.class, passing);
        graph.start();
        EventQueue<Integer> queue = passing.queues.get(0);
        queue.workStarted();
        assertFalse(graph.drain(Duration.ZERO));
        OtherThread<StopReport> stop = OtherThread.start(() -> graph.stop(LIMIT));
        OtherThread.awaitWaiting(stop.thread());
        assertEquals(EnqueueResult.CLOSED, itself.queue().enqueue(1));
        assertEquals(EnqueueResult.ACCEPTED, queue.enqueue(2));
        queue.workFinished();
        assertTrue(stop.result().isDrained());
        assertEquals(1, accepted(graph, "itself", "end"));
        IllegalStateException tooOften = assertThrows(IllegalStateException.class, queue::workFinished);
        assertEquals("work for asking -> itself has ended more often than it has begun", tooOften.getMessage());
    }

    @Test
    void isNotDrainedIfTheWorkOutlastsTheStop() throws Exception {
        Passing passing = new Passing("end");
        add("end");
        graph.add("asking", Integer.class, passing);
        graph.start();
        passing.queues.get(0).workStarted();
        StopReport report = graph.stop(Duration.ZERO);
        assertFalse(report.isDrained(), report::toString);
        assertEquals(EnqueueResult.CLOSED, passing.queues.get(0).enqueue(1));
        passing.queues.get(0).workFinished();
    }

    /** Such as a send on a connection that the stop of a handler closes. */
    @Test
    void isNotDrainedIfTheStopItselfEndsTheWork() {
        Passing passing = new Passing("end");
        graph.add("end", Integer.class, new Passing() {
            @Override
            public void handleStop() {
                passing.queues.get(0).workFinished();
            }
        });
        graph.add("asking", Integer.class, passing);
        graph.start();
        passing.queues.get(0).workStarted();
        StopReport report = graph.stop(Duration.ZERO);
        assertFalse(report.isDrained(), report::toString);
        assertEquals(List.of(0L, 1L), report.stages().stream().map(StageAccount::expected).toList());
        assertTrue(graph.accounts().stream().allMatch(account -> account.expected() == 0));
    }

    /** An idle stage may be ended while a thread unknown to the graph enqueues an event. */
    @Test
    void handlesEveryEventThatItAccepts() throws Exception {
        for (int round = 0; round < 50; round++) {
            StageGraph ending = new StageGraph("graph " + round);
            Passing passing = new Passing("end");
            Stage<Integer> end = ending.add("end", Integer.class, new Passing());
            ending.add("asking", Integer.class, passing);
            ending.start();
            CountDownLatch begun = new CountDownLatch(1);
            OtherThread<Long> other = OtherThread.start(() -> {
                long accepted = 0;
                while (passing.queues.get(0).enqueue(1, LIMIT) == EnqueueResult.ACCEPTED) {
                    accepted++;
                    begun.countDown();
                    while (end.handled() < accepted && end.discarded() == 0) {
                        Thread.onSpinWait();
                    }
                }
                return accepted;
            });
            OtherThread.await(begun);
            StopReport report = ending.stop(LIMIT);
            assertTrue(report.isDrained(), report::toString);
            assertEquals(other.result(), end.handled());
        }
    }

    // What is refused

    @Test
    void refusesCirclesOfDirectStages() {
        addDirect("itself", "itself");
        IllegalStateException failed = assertThrows(IllegalStateException.class, graph::start);
        assertEquals("direct stages would call each other in a cycle: itself -> itself -> itself; one of them must not"
                + " be direct", failed.getCause().getMessage());
    }

    @Test
    void refusesLongerCirclesOfDirectStages() {
        addDirect("a", "b");
        addDirect("b", "c");
        addDirect("c", "a");
        IllegalStateException failed = assertThrows(IllegalStateException.class, graph::start);
        assertTrue(failed.getCause().getMessage().contains("c -> a -> c"), failed.getCause()::getMessage);
        assertEquals(List.of("a", "b", "c"), stops);
        assertThrows(IllegalStateException.class, graph::start);
    }

    @Test
    void allowsOtherCircles() {
        add("a", "b");
        addDirect("b", "c", "d");
        addDirect("c", "d", "a");
        addDirect("d");
        graph.start();
        assertTrue(graph.stop(LIMIT).isDrained());
    }

    @Test
    void refusesWhatIsNotThere() {
        StageGraph other = new StageGraph("other");
        Stage<Integer> foreign = other.add("foreign", Integer.class, new Passing());
        add("target");
        assertThrows(IllegalArgumentException.class, () -> add("target"));
        List<String> messages = new ArrayList<>();
        graph.add("source", Object.class, new StageHandler<>() {
            @Override
            public void handleStart(StageContext context) {
                assertSame(context.queue("target", Integer.class), context.queue("target", Integer.class));
                messages.add(assertThrows(IllegalArgumentException.class,
                        () -> context.queue("nowhere", Integer.class)).getMessage());
                messages.add(assertThrows(IllegalArgumentException.class,
                        () -> context.queue("target", Object.class)).getMessage());
                messages.add(assertThrows(IllegalArgumentException.class,
                        () -> context.queue(foreign)).getMessage());
            }

            @Override
            public void handleEvents(EventBatch<Object> batch) {
                batch.next();
            }
        });
        graph.start();
        assertEquals(List.of(
                "source looked up the unknown stage nowhere in graph of a test; its stages are [target, source]",
                "target takes java.lang.Integer, and source wants to enqueue java.lang.Object",
                "foreign belongs to other, not to graph of a test"), messages);
        assertThrows(IllegalStateException.class, graph::start);
        other.close();
        assertThrows(IllegalStateException.class, other::start);
    }

    @Test
    void aStageThatCannotStartStopsTheOthers() {
        add("first");
        graph.add("second", Integer.class, new Passing() {
            @Override
            public void handleStart(StageContext context) {
                super.handleStart(context);
                throw new IllegalArgumentException("in a test");
            }
        });
        Stage<Integer> third = add("third");
        third.queue().enqueue(1);
        IllegalStateException failed = assertThrows(IllegalStateException.class, graph::start);
        assertEquals("second of graph of a test cannot start", failed.getMessage());
        assertEquals(List.of("first", "second"), stops);
        assertEquals(EnqueueResult.CLOSED, third.queue().enqueue(2));
        assertEquals(1, third.discarded());
    }

    @Test
    void closeOfAGraphThatNeverStartedIsLogged() {
        add("only").queue().enqueue(1);
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            graph.close();
        } finally {
            System.setErr(before);
        }
        String text = log.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("graph of a test was closed without having been started: "), text);
        assertFalse(text.contains("within"), text);
    }

    // Looking

    /** By the edge that has led to it, and whatever the reason. */
    @Test
    void countsWhatIsRefused() throws Exception {
        Gate gate = new Gate();
        Stage<Integer> full = graph.add("full", Integer.class, gate, new StageOptions<Integer>().capacity(2).batch(1)
                .admission((event, length) -> event < 100));
        List<EventQueue<Integer>> inside = new ArrayList<>();
        graph.add("source", Integer.class, new StageHandler<>() {
            @Override
            public void handleStart(StageContext context) {
                inside.add(context.queue(full));
            }

            @Override
            public void handleEvents(EventBatch<Integer> batch) {
                batch.next();
            }
        });
        graph.start();
        // It is counted by the threads that enqueue, and only then.
        assertEquals(EnqueueResult.ACCEPTED, gate.occupy(full).result());
        assertEquals(EnqueueResult.REJECTED, full.queue().enqueue(100));
        assertEquals(EnqueueResult.ACCEPTED, full.queue().enqueueAll(List.of(1, 2)));
        assertEquals(EnqueueResult.FULL, full.queue().enqueue(3));
        assertEquals(EnqueueResult.FULL, full.queue().enqueue(3, Duration.ofNanos(1)));
        assertEquals(EnqueueResult.FULL, full.queue().enqueueAll(List.of(3, 4, 5)));
        assertEquals(EnqueueResult.FULL, inside.get(0).prepareAll(List.of(3, 4)).result());
        assertEquals(List.of(new EdgeAccount(null, "full", 3, 6), new EdgeAccount(null, "source", 0, 0),
                new EdgeAccount("source", "full", 0, 2)), graph.edgeAccounts());
        assertEquals(8, full.rejected());
        // Neither a producer that gets the space it has waited for, nor one that closes its preparation, was refused.
        OtherThread<EnqueueResult> patient = OtherThread.start(() -> full.queue().enqueue(6, LIMIT));
        OtherThread.awaitWaiting(patient.thread());
        gate.open();
        assertEquals(EnqueueResult.ACCEPTED, patient.result());
        assertTrue(graph.drain(LIMIT));
        inside.get(0).prepare(7).close();
        inside.get(0).prepare(8).commit();
        assertTrue(graph.drain(LIMIT));
        assertEquals(new StageAccount("full", 5, 5, 0, 0, 8, 0), graph.accounts().get(0));
        graph.stop(LIMIT);
        assertEquals(EnqueueResult.CLOSED, full.queue().enqueue(9));
        assertEquals(9, full.rejected());
        assertEquals(new EdgeAccount("source", "full", 1, 2), graph.edgeAccounts().get(2));
    }

    @Test
    void takesResponseTimesForThoseWhoAsk() throws Exception {
        Stage<Integer> timed = graph.add("timed", Integer.class, new Passing("other"),
                new StageOptions<Integer>().recordResponseTimes());
        Stage<Integer> other = graph.add("other", Integer.class, new Passing(),
                new StageOptions<Integer>().direct().control(new ThreadPoolController()));
        Stage<Integer> third = add("third");
        graph.start();
        assertEquals("own threads, at most 20", timed.runner());
        assertEquals("direct", other.runner());
        assertEquals(0, timed.responseTimes().count());
        long begin = System.nanoTime();
        timed.queue().enqueueAll(List.of(1, 2, 3));
        assertTrue(graph.drain(LIMIT));
        long end = System.nanoTime();
        ResponseTimes times = timed.responseTimes();
        assertEquals(3, times.count());
        long[] all = times.latest(0, 3);
        assertEquals(times.sum(), all[0] + all[1] + all[2]);
        assertTrue(all[0] > 0 && times.sum() <= 3 * (end - begin), times::toString);
        assertEquals(all[2], times.latest(2, 3)[0]);
        assertEquals(0, times.latest(3, 3).length);
        assertEquals(0, times.latest(4, 3).length);
        assertNotNull(other.responseTimes());
        assertNull(third.responseTimes());
    }

    @Test
    void proxiesRecordWhatPasses() throws Exception {
        Stage<Integer> first = addDirect("first", "second");
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch inside = new CountDownLatch(1);
        graph.add("second", Integer.class, batch -> {
            inside.countDown();
            OtherThread.await(open);
            while (batch.next() != null) {
                Thread.yield();
            }
        }, new StageOptions<Integer>().capacity(2));
        graph.start();
        assertThrows(IllegalArgumentException.class, () -> graph.interpose("second", "first", 3));
        assertThrows(IllegalArgumentException.class, () -> graph.interpose("first", "second", 0));
        first.queue().enqueue(0);
        OtherThread.await(inside);
        ProxyStage<?> proxy = graph.interpose("first", "second", 3);
        ProxyStage<?> entrance = graph.interpose(null, "first", 10);
        first.queue().enqueue(1);
        first.queue().prepare(2).commit();
        // It waits for room.
        OtherThread<EnqueueResult> third = OtherThread.start(() -> first.queue().enqueue(3));
        OtherThread.awaitWaiting(third.thread());
        open.countDown();
        third.result();
        graph.drain(LIMIT);
        first.queue().enqueueAll(List.of(4, 5));
        assertEquals(5, proxy.count());
        assertEquals(List.of(3, 4, 5), proxy.records().stream().map(ProxyStage.EventRecord::event).toList());
        assertEquals(EnqueueResult.ACCEPTED, proxy.records().get(0).result());
        assertEquals(5, entrance.records().size());
        proxy.close();
        first.queue().enqueue(6);
        assertEquals(5, proxy.count());
        assertEquals(6, entrance.count());
    }
}
