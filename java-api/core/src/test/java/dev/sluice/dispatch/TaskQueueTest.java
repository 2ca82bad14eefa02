package dev.sluice.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag(Depth.IN_QUICK)
class TaskQueueTest {

    private static final int THREADS = 4;
    private static final int TASKS_OF_A_THREAD = 20_000;

    private final TaskQueue queue = new TaskQueue(false);
    private final List<Integer> ran = new ArrayList<>();
    private int misplaced;

    private Runnable task(int number) {
        return () -> ran.add(number);
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private static boolean isEmpty(TaskQueue tasks) {
        return !tasks.hasUpTo(tasks.added());
    }

    @Test
    void isEmptyAtFirst() {
        assertTrue(isEmpty(queue));
        assertEquals(0, queue.run());
        assertFalse(queue.remove(task(0)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 255, 256, 257, 1000})
    void runsInTheOrderOfAddition(int count) {
        for (int repetition = 0; repetition < 3; repetition++) {
            ran.clear();
            for (int number = 0; number < count; number++) {
                queue.add(task(number));
                assertFalse(isEmpty(queue));
            }
            assertEquals(count, queue.run());
            assertEquals(numbers(count), ran);
            assertTrue(isEmpty(queue));
        }
    }

    @Test
    void tasksThatTasksAddWaitForTheNextRun() {
        queue.add(() -> {
            ran.add(0);
            queue.add(task(1));
        });
        assertEquals(1, queue.run());
        assertEquals(numbers(1), ran);
        assertEquals(1, queue.run());
        assertEquals(numbers(2), ran);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 300})
    void taskThatRunsTheOthersLeavesNone(int others) {
        queue.add(queue::run);
        for (int number = 0; number < others; number++) {
            queue.add(task(number));
        }
        assertEquals(1, queue.run());
        assertEquals(numbers(others), ran);
        assertTrue(isEmpty(queue));
    }

    @Test
    void failedTaskDoesNotAffectOthers() {
        queue.add(() -> {
            throw new StackOverflowError("as a test wants it");
        });
        queue.add(task(0));
        assertEquals(2, queue.run());
        assertEquals(numbers(1), ran);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 299, 599})
    void removedTaskDoesNotRun(int removed) {
        List<Runnable> tasks = new ArrayList<>();
        for (int number = 0; number < 600; number++) {
            tasks.add(task(number));
            queue.add(tasks.get(number));
        }
        assertTrue(queue.remove(tasks.get(removed)));
        assertFalse(queue.remove(tasks.get(removed)));
        assertEquals(599, queue.run());
        assertFalse(ran.contains(removed));
        assertTrue(isEmpty(queue));
    }

    @Test
    void taskThatHasRunIsNotRemoved() {
        Runnable task = task(0);
        queue.add(task);
        queue.run();
        assertFalse(queue.remove(task));
        queue.add(task);
        assertTrue(queue.remove(task));
        assertEquals(0, queue.run());
    }

    @Test
    void takesNoMoreTasksThanItIsAskedFor() {
        Runnable first = task(0);
        queue.add(first);
        long sofar = queue.added();
        queue.add(task(1));
        Runnable last = task(2);
        queue.add(last);
        assertSame(first, queue.poll(sofar));
        assertNull(queue.poll(sofar));
        assertFalse(isEmpty(queue));
        assertEquals(1, queue.run(() -> ran.isEmpty()));
        assertSame(last, queue.poll(queue.added()));
        assertTrue(isEmpty(queue));
    }

    @Test
    void taskIsTakenByOneOfManyThreads() throws Exception {
        TaskQueue shared = new TaskQueue(true);
        AtomicInteger runs = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Integer>> takers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                takers.add(threads.submit(() -> takeAndRun(shared)));
            }
            for (int number = 0; number < TASKS_OF_A_THREAD; number++) {
                shared.add(runs::incrementAndGet);
            }
            int taken = 0;
            for (Future<Integer> taker : takers) {
                taken += taker.get();
            }
            assertEquals(TASKS_OF_A_THREAD, taken);
            assertEquals(TASKS_OF_A_THREAD, runs.get());
            assertTrue(isEmpty(shared));
        } finally {
            threads.shutdownNow();
        }
    }

    private static int takeAndRun(TaskQueue queue) {
        int taken = 0;
        while (queue.added() < TASKS_OF_A_THREAD || !isEmpty(queue)) {
            Runnable task = queue.poll(queue.added());
            if (task != null) {
                queue.run(task);
                taken++;
            }
        }
        return taken;
    }

    @Test
    void eachTaskOfManyThreadsRunsInItsOrderOrIsRemoved() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            int[] next = new int[THREADS];
            List<Future<Integer>> removals = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                removals.add(threads.submit(() -> addAndRemove(thread, next)));
            }
            int count = 0;
            while (removals.stream().anyMatch(removal -> !removal.isDone()) || !isEmpty(queue)) {
                count += queue.run();
            }
            int removed = 0;
            for (Future<Integer> removal : removals) {
                removed += removal.get();
            }
            assertEquals(THREADS * TASKS_OF_A_THREAD, count + removed);
            assertEquals(0, misplaced, "out of order, or twice");
        } finally {
            threads.shutdownNow();
        }
    }

    private int addAndRemove(int thread, int[] next) {
        int removed = 0;
        for (int number = 0; number < TASKS_OF_A_THREAD; number++) {
            int own = number;
            Runnable task = () -> {
                // An exception of a task is only logged.
                misplaced += own < next[thread] ? 1 : 0;
                next[thread] = own + 1;
            };
            queue.add(task);
            if (number % 3 == 0 && queue.remove(task)) {
                removed++;
            }
        }
        return removed;
    }
}
