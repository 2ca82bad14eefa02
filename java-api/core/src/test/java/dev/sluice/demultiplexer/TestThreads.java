package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * The threads that run tests: the same ones for all tests of the process, because each keeps native memory for its
 * calls as long as it lives, which would look like a leak of the first test that uses it.
 */
final class TestThreads {

    /** Maximum number of concurrent tasks, including the test itself. */
    static final int COUNT = 16;

    private static final Set<Thread> THREADS = ConcurrentHashMap.newKeySet();
    private static final ExecutorService POOL = Executors.newFixedThreadPool(COUNT, task -> {
        Thread thread = new Thread(task, "test-" + (THREADS.size() + 1));
        thread.setDaemon(true);
        THREADS.add(thread);
        return thread;
    });

    private TestThreads() {
    }

    static <T> Future<T> start(Callable<T> task) {
        return POOL.submit(task);
    }

    /** Lets every thread run a task once, including the caller. Fails if an earlier test still uses one of them. */
    static void each(Callable<?> task, long seconds) throws Exception {
        CyclicBarrier allAtOnce = new CyclicBarrier(COUNT);
        Future<?>[] others = new Future<?>[COUNT - 1];
        for (int i = 0; i < others.length; i++) {
            others[i] = start(() -> {
                allAtOnce.await(seconds, TimeUnit.SECONDS);
                return task.call();
            });
        }
        try {
            allAtOnce.await(seconds, TimeUnit.SECONDS);
        } catch (TimeoutException | BrokenBarrierException e) {
            fail("not all threads are free after " + seconds + " s:\n" + stacks(), e);
        }
        task.call();
        for (Future<?> other : others) {
            result(other, seconds);
        }
    }

    /** {@return the result of the task; its exception is rethrown} */
    static <T> T result(Future<T> task, long seconds) throws Exception {
        try {
            return task.get(seconds, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return fail("not done after " + seconds + " s:\n" + stacks());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    static String stacks() {
        return THREADS.stream()
                .map(TestThreads::stack)
                .filter(stack -> stack.contains("dev.sluice"))
                .collect(Collectors.joining());
    }

    private static String stack(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .map(frame -> "    at " + frame + "\n")
                .collect(Collectors.joining("", thread.getName() + "\n", ""));
    }
}
