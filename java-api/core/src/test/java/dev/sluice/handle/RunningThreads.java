package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The running platform threads. */
public final class RunningThreads {

    /**
     * Threads that start and end independently of tests: of JNA; of the JVM once a program has been started, such as
     * JNA's {@code ldconfig}, whose thread name is followed by a process id while it waits for one; from Java 26 on,
     * unnamed cleaners of direct buffers; JUnit's watcher of timeouts; and the common pool, which serves futures of the
     * JDK.
     */
    private static final List<String> FOREIGN =
            List.of("JNA Cleaner", "process reaper", "InnocuousThread", "junit-jupiter-timeout-watcher",
                    "ForkJoinPool.commonPool-", "CompletableFutureDelayScheduler");
    /** The carriers of virtual threads, and other threads that the JDK starts. */
    private static final String OF_THE_JDK = "jdk.internal.";
    /** The group of the tests and of the threads that they start; the JDK's own threads are usually in others. */
    private static final ThreadGroup OF_THE_TESTS = Thread.currentThread().getThreadGroup();

    private final Set<Thread> threads;

    private RunningThreads(Set<Thread> threads) {
        this.threads = threads;
    }

    /** {@return the currently running threads} */
    public static RunningThreads now() {
        return new RunningThreads(in(OF_THE_TESTS));
    }

    /** {@return the root of all thread groups} */
    static ThreadGroup root() {
        ThreadGroup group = OF_THE_TESTS;
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /** {@return the threads of a group and its subgroups} */
    static Set<Thread> in(ThreadGroup group) {
        // Thread.getAllStackTraces would stop all threads, before and after each test.
        Thread[] found;
        int count;
        do {
            // Threads that do not fit in the array are omitted.
            found = new Thread[group.activeCount() + 16];
            count = group.enumerate(found);
        } while (count == found.length);
        return new HashSet<>(Arrays.asList(found).subList(0, count));
    }

    /**
     * Waits until no other thread runs, because a thread has released borrowed memory when it has ended. Fails if one
     * does not end.
     */
    public void awaitEndOfOthers() throws InterruptedException {
        awaitEndOfOthers(Patience.LIMIT);
    }

    void awaitEndOfOthers(Duration limit) throws InterruptedException {
        for (Thread thread : in(OF_THE_TESTS)) {
            if (!threads.contains(thread) && !isForeign(thread)) {
                thread.join(limit.toMillis());
                assertFalse(thread.isAlive(), () -> "thread leaked: " + thread);
            }
        }
    }

    private static boolean isForeign(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        // The group of an ended thread is null.
        return group == null || !OF_THE_TESTS.parentOf(group) || thread.getClass().getName().startsWith(OF_THE_JDK)
                || FOREIGN.stream().anyMatch(thread.getName()::startsWith);
    }
}
