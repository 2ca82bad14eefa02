package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
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
        return new RunningThreads(Thread.getAllStackTraces().keySet());
    }

    /** Waits until no other thread runs: what it has borrowed is back when it has ended. Fails if one does not end. */
    public void awaitEndOfOthers() throws InterruptedException {
        awaitEndOfOthers(Patience.LIMIT);
    }

    void awaitEndOfOthers(Duration limit) throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
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
