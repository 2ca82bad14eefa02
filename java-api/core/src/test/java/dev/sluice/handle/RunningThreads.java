package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The platform threads that run. */
public final class RunningThreads {

    /**
     * They come and go as they please: of JNA, and of the JVM since a program was started, such as JNA's {@code
     * ldconfig}, or, from Java 26 on, since a direct buffer was made, for all of which a thread without a name of its
     * own cleans up. The name of the second goes on with a process id while there is one to wait for. JUnit's watches
     * over timeouts, and the common pool serves futures of the JDK.
     */
    private static final List<String> FOREIGN =
            List.of("JNA Cleaner", "process reaper", "InnocuousThread", "junit-jupiter-timeout-watcher",
                    "ForkJoinPool.commonPool-", "CompletableFutureDelayScheduler");
    /** Of the threads that run virtual ones, and others that the JDK starts for itself. */
    private static final String OF_THE_JDK = "jdk.internal.";
    /** Of the tests, and of what they start: the JDK puts its own threads elsewhere, as a rule. */
    private static final ThreadGroup OF_THE_TESTS = Thread.currentThread().getThreadGroup();

    private final Set<Thread> threads;

    private RunningThreads(Set<Thread> threads) {
        this.threads = threads;
    }

    /** {@return those that run now} */
    public static RunningThreads now() {
        return new RunningThreads(in(OF_THE_TESTS));
    }

    /** {@return the group that all others are in} */
    static ThreadGroup root() {
        ThreadGroup group = OF_THE_TESTS;
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /** {@return those of a group and of the groups in it} */
    static Set<Thread> in(ThreadGroup group) {
        // Not by their stack traces, for which all threads would be stopped, before and after each test.
        Thread[] found;
        int count;
        do {
            // A group leaves out those that do not fit into the array.
            found = new Thread[group.activeCount() + 16];
            count = group.enumerate(found);
        } while (count == found.length);
        return new HashSet<>(Arrays.asList(found).subList(0, count));
    }

    /** Waits until no other thread runs: what it has borrowed is back when it has ended. Fails if one does not end. */
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
        // A thread that has ended has none.
        return group == null || !OF_THE_TESTS.parentOf(group) || thread.getClass().getName().startsWith(OF_THE_JDK)
                || FOREIGN.stream().anyMatch(thread.getName()::startsWith);
    }
}
