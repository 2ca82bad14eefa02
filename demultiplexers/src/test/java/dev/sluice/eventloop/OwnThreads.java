package dev.sluice.eventloop;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** The threads of a test: none is left at its end. Those that the JVM makes for itself are in another group. */
final class OwnThreads implements AutoCloseable {

    private final Set<Thread> before = now();

    private static Set<Thread> now() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        Thread[] threads = new Thread[group.activeCount() + 64];
        group.enumerate(threads);
        Set<Thread> found = new HashSet<>(Arrays.asList(threads));
        // Comes and goes as JNA likes.
        found.removeIf(thread -> Objects.isNull(thread) || thread.getName().contains("JNA Cleaner"));
        return found;
    }

    @Override
    public void close() {
        Set<Thread> left = now();
        left.removeAll(before);
        left.forEach(OtherThread::awaitEnd);
    }
}
